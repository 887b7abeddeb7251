/** ESLint rule `swaplab/file-size`: a file is about one subject; one that grows beyond the limit wants to be split. */
const fileSize = {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'object', properties: { bytes: { type: 'integer', minimum: 1 } }, additionalProperties: false }],
    messages: { tooLarge: '{{bytes}} bytes, more than {{limit}}: split it by subject.' },
  },
  create(context) {
    const limit = context.options[0].bytes;
    return {
      Program(node) {
        const bytes = Buffer.byteLength(context.sourceCode.text);
        if (bytes > limit) context.report({ node, loc: { line: 1, column: 0 }, messageId: 'tooLarge', data: { bytes, limit } });
      },
    };
  },
};

export default { rules: { 'file-size': fileSize } };

import vue from 'eslint-plugin-vue';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import swaplab from './scripts/lint/file-size.mjs';

/** Math functions whose last bit is the same in every JavaScript engine. */
const EXACT_MATH = 'sqrt|imul|floor|ceil|trunc|abs|min|max|clz32|fround';

const TESTS = ['**/*.test.ts', '**/testing/**/*.ts', 'e2e/**/*.ts'];

const engineSyntax = [
  {
    selector: `MemberExpression[object.name='Math'][computed=false][property.name!=/^(${EXACT_MATH})$/]`,
    message: `Not the same to the bit everywhere, or not deterministic: the engine may use only Math.{${EXACT_MATH.replaceAll('|', ', ')}}.`,
  },
  { selector: "MemberExpression[object.name='Math'][computed=true]", message: 'Name the Math function, so that it can be checked.' },
  { selector: "BinaryExpression[operator='**'], AssignmentExpression[operator='**=']", message: '** differs in the last bit between engines.' },
  {
    selector: 'CallExpression > MemberExpression[property.name=/^(toLocaleString|localeCompare|toLocaleUpperCase|toLocaleLowerCase)$/]',
    message: 'Depends on the locale of the machine.',
  },
];

const engineGlobals = [
  'Date', 'performance', 'process', 'Intl', 'crypto', 'console', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'Buffer',
  'globalThis', 'window', 'document', 'WeakRef', 'FinalizationRegistry',
].map((name) => ({ name, message: 'The engine is pure and deterministic: it knows no clock, no host and no environment.' }));

export default defineConfig(
  globalIgnores(['out/', 'dist/', 'node_modules/', 'test-results/', '.cache/', 'test-data/', 'src/renderer/**/*.d.ts']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },

  {
    files: ['**/*.ts', '**/*.mts', '**/*.vue'],
    extends: [...tseslint.configs.recommendedTypeChecked, ...vue.configs['flat/recommended']],
    languageOptions: {
      parserOptions: { parser: tseslint.parser, projectService: true, extraFileExtensions: ['.vue'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/ban-ts-comment': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/unbound-method': 'off',
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'no-eval': 'error',
      'no-implied-eval': 'off',
      'no-new-func': 'error',
      'max-len': ['error', { code: 150, ignoreUrls: true, ignoreStrings: false, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true }],
    },
  },

  {
    files: ['src/renderer/**/*.vue'],
    rules: {
      'vue/no-v-html': 'error',
      'vue/block-lang': ['error', { script: { lang: 'ts' } }],
      'vue/component-api-style': ['error', ['script-setup']],
      'vue/multi-word-component-names': 'off',
      'max-len': 'off',
      'vue/max-len': ['error', {
        code: 150, template: 150, ignoreUrls: true, ignoreTemplateLiterals: true, ignoreHTMLAttributeValues: true,
      }],
      // Layout of attributes is left to the writer; the rules of substance stay.
      'vue/max-attributes-per-line': 'off',
      'vue/singleline-html-element-content-newline': 'off',
      'vue/html-self-closing': 'off',
      'vue/html-closing-bracket-newline': 'off',
      'vue/html-indent': 'off',
      'vue/first-attribute-linebreak': 'off',
      'vue/multiline-html-element-content-newline': 'off',
      'vue/require-default-prop': 'off',
    },
  },
  {
    files: ['src/renderer/**/*.ts', 'src/renderer/**/*.vue'],
    plugins: { swaplab },
    rules: {
      'swaplab/file-size': ['warn', { bytes: 8_500 }],
      'no-restricted-syntax': ['error', {
        selector: [
          'AssignmentExpression > MemberExpression.left[property.name=/^(innerHTML|outerHTML)$/]',
          "CallExpression > MemberExpression[property.name='insertAdjacentHTML']",
        ].join(', '),
        message: 'Text goes into the page as text.',
      }],
      'no-restricted-globals': ['error', ...['process', 'require'].map((name) => ({ name, message: 'The window has no Node.' }))],
    },
  },

  {
    files: ['src/engine/**/*.ts'],
    ignores: TESTS,
    plugins: { swaplab },
    rules: {
      'swaplab/file-size': ['warn', { bytes: 26_000 }],
      'no-restricted-syntax': ['error', ...engineSyntax],
      'no-restricted-globals': ['error', ...engineGlobals],
    },
  },

  {
    files: TESTS,
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-restricted-properties': ['error',
        ...['it', 'test', 'describe'].flatMap((object) => ['only', 'skip', 'todo'].map((property) => (
          { object, property, message: 'Every test runs.' }
        )))],
    },
  },
  {
    // A test that cannot run on this machine says so while it runs, as a visible skip with its reason.
    files: ['e2e/**/*.ts'],
    rules: {
      'no-restricted-properties': ['error', ...['test', 'describe'].map((object) => ({ object, property: 'only', message: 'Every test runs.' }))],
    },
  },

  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process', 'console', 'Buffer', 'URL', 'fetch', 'AbortSignal', 'AbortController',
          'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval',
        ].map((name) => [name, 'readonly']),
      ),
    },
    rules: {
      'no-undef': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      eqeqeq: 'error',
      'prefer-const': 'error',
      'max-len': ['error', { code: 150, ignoreUrls: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true }],
    },
  },
  {
    // Read by Nodes that are too old to run Swaplab, only to say so.
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs', globals: { require: 'readonly', module: 'writable', exports: 'writable', __dirname: 'readonly' } },
  },
  {
    files: ['scripts/entry.cjs'],
    languageOptions: { ecmaVersion: 5 },
    rules: { 'prefer-const': 'off' },
  },
);

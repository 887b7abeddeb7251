/**
 * How well a title fits what was typed into the palette: all typed words must begin a word of the title or stand inside it.
 * @returns a rank, the smaller the better; undefined: does not fit.
 */
export function rankTitle(title: string, typed: string): number | undefined {
  const text = title.toLowerCase();
  let rank = 0;
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const at = text.indexOf(word);
    if (at < 0) return undefined;
    rank += at === 0 ? 0 : /\W/.test(text[at - 1] ?? '') ? 1 : 2;
  }
  return rank;
}

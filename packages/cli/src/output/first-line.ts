/** The first line of a text that says something, for a cell of a table. */
export function firstLine(text: string): string {
  return text.trimStart().split(/\r?\n/, 1)[0] ?? ''
}

const marks = /\p{Mn}|\p{Me}|\u{fe0f}/u
const wide =
  /\p{Extended_Pictographic}|[\u{1100}-\u{115f}\u{2e80}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}]/u

/** Columns of a terminal that a text takes up. */
export function displayWidth(text: string): number {
  // nearly all text is ASCII
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) width += widthOf(character)
  return width
}

/** Cuts a text to so many columns, with a sign where it was cut. */
export function fitWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const character of text) {
    width += widthOf(character)
    if (width > columns - 1) break
    kept += character
  }
  return `${kept}…`
}

function widthOf(character: string): number {
  if (marks.test(character)) return 0
  const isLatin = (character.codePointAt(0) ?? 0) < 0x100
  return !isLatin && wide.test(character) ? 2 : 1
}

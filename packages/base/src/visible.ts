/** Reason why a character must not reach a person as it is. */
export type HiddenKind = 'control' | 'bidi' | 'zero-width' | 'tag' | 'variation' | 'private' | 'surrogate'

/** A character that shows nothing, or shows other characters differently. */
export interface HiddenCharacter {
  readonly index: number
  readonly code: number
  readonly kind: HiddenKind
}

/** First and last code point of each range of characters that hide or mislead. */
const ranges: readonly (readonly [first: number, last: number, kind: HiddenKind])[] = [
  [0x00, 0x08, 'control'],
  [0x0b, 0x1f, 'control'],
  [0x7f, 0x9f, 'control'],
  [0x00ad, 0x00ad, 'zero-width'],
  [0x034f, 0x034f, 'zero-width'],
  [0x061c, 0x061c, 'bidi'],
  [0x115f, 0x1160, 'zero-width'],
  [0x17b4, 0x17b5, 'zero-width'],
  [0x180b, 0x180f, 'variation'],
  [0x200b, 0x200d, 'zero-width'],
  [0x200e, 0x200f, 'bidi'],
  [0x2028, 0x2029, 'control'],
  [0x202a, 0x202e, 'bidi'],
  [0x2060, 0x2065, 'zero-width'],
  [0x2066, 0x2069, 'bidi'],
  [0x206a, 0x206f, 'zero-width'],
  [0x3164, 0x3164, 'zero-width'],
  [0xd800, 0xdfff, 'surrogate'],
  [0xe000, 0xf8ff, 'private'],
  [0xfe00, 0xfe0e, 'variation'],
  [0xfeff, 0xfeff, 'zero-width'],
  [0xffa0, 0xffa0, 'zero-width'],
  [0xfff9, 0xfffb, 'zero-width'],
  [0x1bca0, 0x1bca3, 'zero-width'],
  [0x1d173, 0x1d17a, 'zero-width'],
  [0xe0000, 0xe007f, 'tag'],
  [0xe0100, 0xe01ef, 'variation'],
  [0xf0000, 0x10ffff, 'private'],
]

/** Reason why a code point must not be shown as it is; undefined if it may be. */
export function hiddenKind(code: number): HiddenKind | undefined {
  if (code >= 0x20 && code < 0x7f) return undefined
  return ranges.find(([first, last]) => code >= first && code <= last)?.[2]
}

/** Every character of a text that hides or misleads. */
export function* hiddenCharacters(text: string): Generator<HiddenCharacter> {
  let index = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    const kind = hiddenKind(code)
    // a joiner between pictographs makes one picture of several, as intended
    if (kind && !(code === 0x200d && joinsPictographs(text, index))) yield { index, code, kind }
    index += character.length
  }
}

/** The text with everything that hides or misleads spelled out, as in `\u{202e}`; lines and tabs stay. */
export function visibleText(text: string): string {
  let shown = ''
  let from = 0
  for (const { index, code } of hiddenCharacters(text)) {
    shown += `${text.slice(from, index)}\\u{${code.toString(16)}}`
    from = index + (code > 0xffff ? 2 : 1)
  }
  return from === 0 ? text : shown + text.slice(from)
}

/** The same in one line, for tables and messages. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\r', '\\r').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

function joinsPictographs(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 4), index)
  return (
    /\p{Extended_Pictographic}[\u{fe0f}\u{1f3fb}-\u{1f3ff}]?$/u.test(before) &&
    /^\p{Extended_Pictographic}/u.test(text.slice(index + 1))
  )
}

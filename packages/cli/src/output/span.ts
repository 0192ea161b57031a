import { visibleText } from '@trunkline/host/text'

/** Style of a piece of a line, named for its meaning. */
export type Style = 'strong' | 'faint' | 'good' | 'bad' | 'warning' | 'name'

/** A piece of a line: plain text, or text with a style. */
export type Span = string | { readonly text: string; readonly style: Style }

/** A line for a person. */
export type Line = Span | readonly Span[]

const codes: { readonly [Name in Style]: readonly [on: number, off: number] } = {
  strong: [1, 22],
  faint: [2, 22],
  good: [32, 39],
  bad: [31, 39],
  warning: [33, 39],
  name: [36, 39],
}

/** A piece of text with a style. */
export function styled(style: Style, text: string): Span {
  return { text, style }
}

/** The text of a line as it is shown, without styles: nothing in it can move a cursor, hide or reorder anything. */
export function plainLine(line: Line): string {
  return spansOf(line)
    .map((span) => visibleText(typeof span === 'string' ? span : span.text))
    .join('')
}

/** The text of a line with the escapes that its styles need; those are the only ones. */
export function colouredLine(line: Line): string {
  return spansOf(line)
    .map((span) => {
      if (typeof span === 'string') return visibleText(span)
      const [on, off] = codes[span.style]
      return `\u001b[${on}m${visibleText(span.text)}\u001b[${off}m`
    })
    .join('')
}

function spansOf(line: Line): readonly Span[] {
  return Array.isArray(line) ? line : [line as Span]
}

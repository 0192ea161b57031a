import { displayWidth, fitWidth } from './display-width.ts'
import { colouredLine, type Line, plainLine } from './span.ts'

/** A terminal that lines can be replaced in. */
export interface LiveScreen {
  write(text: string): unknown
  readonly columns?: number
  readonly rows?: number
}

/** The last lines of a terminal, replaced by newer ones in place; what else is written goes above them. */
export class LiveBlock {
  readonly #screen: LiveScreen
  readonly #hasColours: boolean
  #drawn: readonly string[] = []

  constructor(screen: LiveScreen, hasColours: boolean) {
    this.#screen = screen
    this.#hasColours = hasColours
  }

  /** Puts lines in the place of those that were drawn before; what does not fit on the screen is counted instead. */
  draw(lines: readonly Line[]): void {
    const { columns, rows } = this.#size
    const room = Math.max(2, rows - 1)
    const shown = lines.length <= room ? lines : [...lines.slice(0, room - 1), `… and ${lines.length - room + 1} more`]
    const fitting = shown.map((line) => cut(line, columns - 1))
    const text = fitting.map((line) => (this.#hasColours ? colouredLine(line) : plainLine(line))).join('\n')
    this.#screen.write(`${this.#erasing()}${text}\n`)
    this.#drawn = fitting.map(plainLine)
  }

  /** Takes the lines away. */
  clear(): void {
    this.#screen.write(this.#erasing())
    this.#drawn = []
  }

  /** Size of the screen; a terminal that does not know it says 0. */
  get #size(): { readonly columns: number; readonly rows: number } {
    return { columns: this.#screen.columns || 80, rows: this.#screen.rows || 24 }
  }

  #erasing(): string {
    // a terminal that became narrower has wrapped them
    const { columns } = this.#size
    const height = this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0)
    return height === 0 ? '' : `\r\u001b[${height}A\u001b[J`
  }
}

function cut(line: Line, columns: number): Line {
  if (displayWidth(plainLine(line)) <= columns) return line
  const spans = Array.isArray(line) ? line : [line]
  let left = columns
  return spans.flatMap((span) => {
    if (left <= 0) return []
    const text = fitWidth(typeof span === 'string' ? span : span.text, left)
    left -= displayWidth(text)
    return [typeof span === 'string' ? text : { ...span, text }]
  })
}

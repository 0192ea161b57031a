import type { HostEvent } from '@trunkline/host/api'
import { visibleJson } from '../output/json.ts'
import type { Output } from '../output/output.ts'
import { styled } from '../output/span.ts'

/** Event of a conversation. */
export type ChatEvent = Extract<HostEvent, { readonly event: 'chat' }>['chat']

/** Tokens and cost of a turn. */
export interface Took {
  readonly input: number
  readonly output: number
  readonly cost: number
}

/** Lines of a result that are shown. */
const shownLines = 3
const maxLineChars = 200

/** Shows a conversation in lines: the text of the model as it comes, and each call before it runs. */
export class ChatScreen {
  readonly #output: Output
  /** True while the last text has no line end. */
  #isOpen = false
  #took: Took = { input: 0, output: 0, cost: 0 }

  constructor(output: Output) {
    this.#output = output
  }

  /** Tokens and cost of all turns so far. */
  get took(): Took {
    return this.#took
  }

  show(event: ChatEvent): void {
    if (event.type === 'text') return this.#text(event.text)
    this.closeLine()
    if (event.type === 'call') {
      const { name, arguments: args } = event
      this.#output.note([styled('strong', '→ '), styled('name', name), ` ${visibleJson(args)}`])
    } else if (event.type === 'waiting') {
      this.#output.note(styled('warning', `  ${event.name} waits for an approval`))
    } else if (event.type === 'result') this.#result(event)
    else if (event.type === 'trimmed') {
      const { turns, results, rule } = event
      this.#output.note(
        styled('faint', `The model is not given ${turns} turns, and ${results} results in part. ${rule}`),
      )
    } else if (event.type === 'tools left out' || event.type === 'skills left out') {
      const what = event.type === 'tools left out' ? 'tools' : 'skills'
      const servers = event.type === 'tools left out' ? (event.servers ?? []) : []
      const of = servers.map(({ server, count }) => `${count} of "${server}"`).join(', ')
      const told = `The model is not told of ${event.count} ${what}: there are too many`
      this.#output.note(styled('warning', of === '' ? told : `${told} (${of})`))
    } else if (event.type === 'tokens') {
      const { tokens, cost } = event
      const { input, output } = this.#took
      this.#took = { input: input + tokens.input, output: output + tokens.output, cost: this.#took.cost + cost }
    }
  }

  /** Ends the line that the model left open, for something else to follow. */
  closeLine(): void {
    if (this.#isOpen) this.#output.text('\n')
    this.#isOpen = false
  }

  #text(text: string): void {
    this.#output.text(text)
    this.#isOpen = !text.endsWith('\n')
  }

  #result({ name, isError, ms, content }: Extract<ChatEvent, { type: 'result' }>): void {
    const style = isError ? 'bad' : 'good'
    this.#output.note([styled(style, isError ? '✗ ' : '← '), styled('name', name), styled('faint', ` ${ms} ms`)])
    const lines = content
      .flatMap((block) => (block.type === 'text' ? String(block.text).split('\n') : [`[${block.type}]`]))
      .filter((line) => line.trim() !== '')
    for (const line of lines.slice(0, shownLines)) this.#output.note(styled('faint', `  ${cut(line)}`))
    if (lines.length > shownLines) this.#output.note(styled('faint', `  … ${lines.length - shownLines} more lines`))
  }
}

/** Formats tokens and cost for a person. */
export function tookLine({ input, output, cost }: Took): string {
  return `${input} tokens in, ${output} out${cost > 0 ? `, ${cost.toFixed(4)}` : ''}`
}

function cut(line: string): string {
  return line.length > maxLineChars ? `${line.slice(0, maxLineChars)}…` : line
}

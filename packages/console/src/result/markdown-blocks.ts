import { type MarkdownTable, markdownTable } from './markdown-table.ts'

/** A block of Markdown; raw HTML is text like any other. */
export type MarkdownBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[]; readonly isOrdered: boolean }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly text: string }
  | MarkdownTable
  | { readonly kind: 'rule' }

const item = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/

/** The blocks of a Markdown text, as far as they help to read it. */
export function markdownBlocks(text: string): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  let at = 0
  const takeWhile = (test: (line: string) => boolean): string[] => {
    const from = at
    while (at < lines.length && test(lines[at] ?? '')) at += 1
    return lines.slice(from, at)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const heading = /^(#{1,6})\s+(.*)$/.exec(line)
    const table = markdownTable(lines, at)
    if (line.trim() === '') at += 1
    else if (line.startsWith('```')) {
      at += 1
      blocks.push({ kind: 'code', text: takeWhile((one) => !one.startsWith('```')).join('\n') })
      at += 1
    } else if (table) {
      blocks.push(table)
      at += table.lines
    } else if (heading) {
      blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' })
      at += 1
    } else if (/^\s*(?:---+|\*\*\*+)\s*$/.test(line)) {
      blocks.push({ kind: 'rule' })
      at += 1
    } else if (line.startsWith('>')) {
      blocks.push({
        kind: 'quote',
        text: takeWhile((one) => one.startsWith('>'))
          .map((one) => one.replace(/^>\s?/, ''))
          .join(' '),
      })
    } else if (item.test(line)) {
      const items = takeWhile((one) => item.test(one))
      blocks.push({
        kind: 'list',
        isOrdered: /^\s*\d/.test(line),
        items: items.map((one) => item.exec(one)?.[2] ?? ''),
      })
    } else {
      const isText = (one: string) =>
        one.trim() !== '' && !/^(?:#{1,6}\s|```|>)/.test(one) && !item.test(one) && !markdownTable(lines, at)
      blocks.push({ kind: 'paragraph', text: takeWhile(isText).join(' ') })
    }
  }
  return blocks
}

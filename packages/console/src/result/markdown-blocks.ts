/** A block of Markdown; raw HTML is text like any other. */
export type MarkdownBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[]; readonly isOrdered: boolean }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'rule' }

const item = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/

/** The blocks of a Markdown text, as far as they help to read it. */
export function markdownBlocks(text: string): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  let at = 0
  const while_ = (test: (line: string) => boolean): string[] => {
    const from = at
    while (at < lines.length && test(lines[at] ?? '')) at += 1
    return lines.slice(from, at)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const heading = /^(#{1,6})\s+(.*)$/.exec(line)
    if (line.trim() === '') at += 1
    else if (line.startsWith('```')) {
      at += 1
      blocks.push({ kind: 'code', text: while_((one) => !one.startsWith('```')).join('\n') })
      at += 1
    } else if (heading) {
      blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' })
      at += 1
    } else if (/^\s*(?:---+|\*\*\*+)\s*$/.test(line)) {
      blocks.push({ kind: 'rule' })
      at += 1
    } else if (line.startsWith('>')) {
      blocks.push({
        kind: 'quote',
        text: while_((one) => one.startsWith('>'))
          .map((one) => one.replace(/^>\s?/, ''))
          .join(' '),
      })
    } else if (item.test(line)) {
      const items = while_((one) => item.test(one))
      blocks.push({
        kind: 'list',
        isOrdered: /^\s*\d/.test(line),
        items: items.map((one) => item.exec(one)?.[2] ?? ''),
      })
    } else {
      const isText = (one: string) => one.trim() !== '' && !/^(?:#{1,6}\s|```|>)/.test(one) && !item.test(one)
      blocks.push({ kind: 'paragraph', text: while_(isText).join(' ') })
    }
  }
  return blocks
}

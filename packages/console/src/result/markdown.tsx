import { type ReactNode, useMemo } from 'react'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { plural } from '../text/plural.ts'
import { Said } from '../text/said.tsx'
import { Grid } from './grid.tsx'
import styles from './markdown.module.css'
import { type MarkdownBlock, markdownBlocks } from './markdown-blocks.ts'
import type { MarkdownTable } from './markdown-table.ts'
import { OutsideLink } from './outside-link.tsx'

/** Markdown from an untrusted source: no raw HTML, no image that is fetched, links that say where they lead. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <ScrollArea className={styles.markdown} label="Markdown">
      <MarkdownBlocks text={text} />
    </ScrollArea>
  )
}

/** The same as a part of the page around it, as long as it is. */
export function MarkdownText({ text }: { readonly text: string }) {
  return (
    <div className={styles.open}>
      <MarkdownBlocks text={text} />
    </div>
  )
}

/** Blocks shown; the rest is in the text itself. */
const maxBlocks = 2_000

function MarkdownBlocks({ text }: { readonly text: string }) {
  const blocks = useMemo(() => markdownBlocks(text), [text])
  return (
    <>
      {blocks.slice(0, maxBlocks).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity
        <BlockView key={index} block={block} />
      ))}
      {blocks.length > maxBlocks && (
        <p>{plural(blocks.length - maxBlocks, 'more part is', 'more parts are')} in the text.</p>
      )}
    </>
  )
}

function BlockView({ block }: { readonly block: MarkdownBlock }) {
  switch (block.kind) {
    case 'heading':
      // foreign text does not become a heading of the page
      return <p className={`${styles.heading} ${block.level <= 2 ? styles.large : ''}`}>{inline(block.text)}</p>
    case 'paragraph':
      return <p>{inline(block.text)}</p>
    case 'quote':
      return <blockquote className={styles.quote}>{inline(block.text)}</blockquote>
    case 'code':
      return (
        <pre className={styles.code}>
          <Said text={block.text} />
        </pre>
      )
    case 'table':
      return <Table table={block} />
    case 'rule':
      return <hr className={styles.rule} />
    case 'list': {
      // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity
      const items = block.items.map((text, index) => <li key={index}>{inline(text)}</li>)
      return block.isOrdered ? <ol className={styles.list}>{items}</ol> : <ul className={styles.list}>{items}</ul>
    }
  }
}

function Table({ table: { head, align, rows, left } }: { readonly table: MarkdownTable }) {
  const cells = rows.map((row) => head.map((_, column) => inline(row[column] ?? '')))
  return (
    <ScrollArea className={styles.table} label="Table">
      <Grid head={head.map(inline)} rows={cells} align={align} />
      {left > 0 && <p>{plural(left, 'more row is', 'more rows are')} in the text.</p>}
    </ScrollArea>
  )
}

// bounded, so that a text of nothing but brackets is read once
const marks = /!?\[([^[\]]{0,1000})\]\(([^()\s]{0,2000})(?:\s[^()]{0,500})?\)|`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*/g

function inline(text: string): ReactNode {
  const shown: ReactNode[] = []
  let from = 0
  for (const match of text.matchAll(marks)) {
    const [whole, label, address, code, strong, soft] = match
    shown.push(<Said key={`${match.index} before`} text={text.slice(from, match.index)} />)
    const key = match.index
    if (address !== undefined) shown.push(<OutsideLink key={key} text={label ?? ''} address={address} />)
    else if (code !== undefined) shown.push(<code key={key}>{code && <Said text={code} />}</code>)
    else if (strong !== undefined) shown.push(<strong key={key}>{inline(strong)}</strong>)
    else shown.push(<em key={key}>{inline(soft ?? '')}</em>)
    from = match.index + whole.length
  }
  shown.push(<Said key="end" text={text.slice(from)} />)
  return shown
}

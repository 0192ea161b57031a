import type { ReactNode } from 'react'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { Said } from '../text/said.tsx'
import styles from './markdown.module.css'
import { type MarkdownBlock, markdownBlocks } from './markdown-blocks.ts'
import { OutsideLink } from './outside-link.tsx'

/** Markdown of somebody else: no raw HTML, no image that is fetched, links that say where they lead. */
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

function MarkdownBlocks({ text }: { readonly text: string }) {
  return markdownBlocks(text).map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity
    <BlockView key={index} block={block} />
  ))
}

function BlockView({ block }: { readonly block: MarkdownBlock }) {
  switch (block.kind) {
    case 'heading':
      return <p className={styles.heading}>{inline(block.text)}</p>
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
    case 'rule':
      return <hr className={styles.rule} />
    case 'list': {
      // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity
      const items = block.items.map((text, index) => <li key={index}>{inline(text)}</li>)
      return block.isOrdered ? <ol className={styles.list}>{items}</ol> : <ul className={styles.list}>{items}</ul>
    }
  }
}

const marks = /!?\[([^\]]*)\]\(([^)\s]*)[^)]*\)|`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*/g

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

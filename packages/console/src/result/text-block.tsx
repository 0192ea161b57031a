import { useMemo, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { LongText } from './long-text.tsx'
import { Markdown } from './markdown.tsx'
import styles from './result.module.css'
import { StructuredValue } from './structured-value.tsx'

const maxParsed = 1_000_000

/** A text; where it is JSON or Markdown, it can be seen as that. */
export function TextBlock({ text, mimeType }: { readonly text: string; readonly mimeType?: string }) {
  const value = useMemo(() => jsonIn(text), [text])
  const isMarkdown = mimeType === 'text/markdown' || (value === undefined && looksLikeMarkdown(text))
  const [isPlain, setPlain] = useState(true)
  const other = value !== undefined ? 'tree' : isMarkdown ? 'Markdown' : undefined
  return (
    <div>
      {isPlain || other === undefined ? (
        <LongText text={text} label="text" />
      ) : value !== undefined ? (
        <StructuredValue value={value} />
      ) : (
        <Markdown text={text} />
      )}
      {other && (
        <div className={styles.tools}>
          <Button size="s" tone="quiet" onClick={() => setPlain(!isPlain)}>
            {isPlain ? `Show as ${other}` : 'Show as text'}
          </Button>
        </div>
      )}
    </div>
  )
}

function jsonIn(text: string): unknown {
  if (text.length > maxParsed || !/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function looksLikeMarkdown(text: string): boolean {
  return text.length < maxParsed && /^(?:#{1,6} |[-*] |\d+\. |```)|\*\*\S|\[[^\]]+\]\(/m.test(text)
}

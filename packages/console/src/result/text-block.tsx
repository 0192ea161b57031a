import { useMemo, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { DiffLines } from '../parts/diff.tsx'
import { LongText } from './long-text.tsx'
import { Markdown } from './markdown.tsx'
import styles from './result.module.css'
import { StructuredValue } from './structured-value.tsx'
import { isUnifiedDiff, unifiedDiffLines } from './unified-diff.ts'

const maxParsed = 1_000_000

/** Form of a text; a guessed one is shown when a person wants it. */
type Form =
  | { readonly kind: 'tree'; readonly value: unknown }
  | { readonly kind: 'diff' }
  | { readonly kind: 'Markdown'; readonly isGuess: boolean }

/** A text as what it is; where it is JSON, a diff or Markdown, it can be seen as that and as text. */
export function TextBlock({ text, mimeType }: { readonly text: string; readonly mimeType?: string }) {
  const form = useMemo(() => formOf(text, mimeType), [text, mimeType])
  const [isPlain, setPlain] = useState(form?.kind === 'Markdown' && form.isGuess)
  if (!form) return <LongText text={text} label="text" />
  const turn = (
    <Button size="s" onClick={() => setPlain(!isPlain)}>
      {isPlain ? `Show as ${form.kind}` : 'Show as text'}
    </Button>
  )
  if (isPlain) return <LongText text={text} label="text" actions={turn} />
  return (
    <div>
      <Formed form={form} text={text} />
      <div className={styles.tools}>{turn}</div>
    </div>
  )
}

function Formed({ form, text }: { readonly form: Form; readonly text: string }) {
  switch (form.kind) {
    case 'tree':
      return <StructuredValue value={form.value} />
    case 'diff':
      return <DiffLines lines={unifiedDiffLines(text)} label="Result as a diff" />
    case 'Markdown':
      return <Markdown text={text} />
  }
}

function formOf(text: string, mimeType: string | undefined): Form | undefined {
  const value = jsonIn(text)
  if (value !== undefined) return { kind: 'tree', value }
  if (isUnifiedDiff(text, mimeType)) return { kind: 'diff' }
  if (mimeType === 'text/markdown' && text.length < maxParsed) return { kind: 'Markdown', isGuess: false }
  return looksLikeMarkdown(text) ? { kind: 'Markdown', isGuess: true } : undefined
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
  return text.length < maxParsed && /^(?:#{1,6} |[-*] |\d+\. |```)|\*\*\S|\[[^[\]]+\]\(|^\|? ?:?-+:? ?\|/m.test(text)
}

import { type ReactNode, useState } from 'react'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { prettyJson, sortedJson } from '../text/json.ts'
import { Block } from './block.tsx'
import { LongText } from './long-text.tsx'
import styles from './result.module.css'
import { StructuredValue } from './structured-value.tsx'

export interface ResultProps {
  readonly result: { readonly [key: string]: unknown }
  /** Opens a resource that a result links to. */
  onOpenResource?(uri: string): void
  /** Given by a place that says itself how it ended, and has the button for the raw result. */
  readonly isRaw?: boolean
  /** Facts beside the outcome, such as how long it took. */
  readonly facts?: ReactNode
  /** Buttons beside the one for the raw result. */
  readonly actions?: ReactNode
  /** Address of the resource that it is; its head is not repeated. */
  readonly of?: string
}

/** Content of a result, each block in its own form, and raw beside it. */
export function Result({ result, onOpenResource, isRaw: given, facts, actions, of }: ResultProps) {
  const [chosen, setRaw] = useState(false)
  const isRaw = given ?? chosen
  const all = blocksOf(result)
  const structured = all.some((block) => wraps(result.structuredContent, block)) ? undefined : result.structuredContent
  const blocks = all.filter((block) => !saysTheSame(block, structured))
  return (
    <div className={styles.result}>
      {given === undefined && (
        <div className={styles.head}>
          {result.isError === true ? <Badge tone="bad">The tool failed</Badge> : <Badge tone="good">OK</Badge>}
          <span className={styles.faint}>{facts}</span>
          <span className={styles.actions}>
            {actions}
            <RawButton isRaw={isRaw} onChange={setRaw} />
          </span>
        </div>
      )}
      {isRaw && <LongText text={prettyJson(result)} label="raw result" />}
      {!isRaw &&
        blocks.map((block, index) => (
          <Block
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity
            key={index}
            block={block}
            {...(of !== undefined && { of })}
            {...(onOpenResource && { onOpenResource })}
          />
        ))}
      {!isRaw && structured !== undefined && <StructuredValue value={structured} />}
      {!isRaw && blocks.length === 0 && structured === undefined && <p>It answered with nothing.</p>}
    </div>
  )
}

/** Shows a result as it was received, or as what it is. */
export function RawButton({ isRaw, onChange }: { readonly isRaw: boolean; onChange(isRaw: boolean): void }) {
  return (
    <Button size="s" tone="quiet" aria-pressed={isRaw} onClick={() => onChange(!isRaw)}>
      {isRaw ? 'As what it is' : 'Raw'}
    </Button>
  )
}

/** Servers repeat structured content as text, for callers that cannot read it. */
function saysTheSame({ type, text }: { readonly [key: string]: unknown }, structured: unknown): boolean {
  if (structured === undefined || type !== 'text' || typeof text !== 'string') return false
  try {
    return sortedJson(JSON.parse(text)) === sortedJson(structured)
  } catch {
    return false
  }
}

/** True if structured content is nothing but the text of a block under some name. */
function wraps(structured: unknown, { type, text }: { readonly [key: string]: unknown }): boolean {
  if (typeof structured !== 'object' || structured === null || type !== 'text') return false
  const values = Object.values(structured)
  return values.length === 1 && values[0] === text
}

/** The blocks of a tool's result, of a resource, or of a prompt. */
function blocksOf({ content, contents, messages }: ResultProps['result']): readonly Record<string, unknown>[] {
  if (Array.isArray(content)) return content
  // an answer of a language model has one block
  if (typeof content === 'object' && content !== null) return [content as Record<string, unknown>]
  if (Array.isArray(contents)) return contents.map((resource) => ({ type: 'resource', resource }))
  if (Array.isArray(messages)) {
    return messages.flatMap(({ role, content: said }: { readonly role: string; readonly content: unknown }) =>
      [said].flat().map((one) => ({ ...(one as object), role })),
    )
  }
  return []
}

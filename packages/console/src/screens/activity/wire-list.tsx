import type { RouteAnswer } from '@trunkline/host/page-api'
import { useState } from 'react'
import { LongText } from '../../result/long-text.tsx'
import { prettyJson } from '../../text/json.ts'
import { plural } from '../../text/plural.ts'
import { duration } from '../../text/relative-time.ts'
import { Said } from '../../text/said.tsx'
import styles from './wire.module.css'

type WireItem = RouteAnswer<'wire'>['items'][number]

const maxShown = 200

/** Every message and HTTP request of an act in the order in which they passed; each opens. */
export function WireList({ items }: { readonly items: readonly WireItem[] }) {
  const [first] = items
  const inOrder = [...items].sort((one, other) => one.at - other.at || one.number - other.number)
  return (
    <div>
      <h3>Everything that passed</h3>
      <ol className={styles.list} aria-label="Everything that passed">
        {inOrder.slice(0, maxShown).map((item) => (
          <li key={item.number}>
            <WireEntry item={item} since={first?.at ?? item.at} />
          </li>
        ))}
      </ol>
      {items.length > maxShown && (
        <p className={styles.nothing}>{plural(items.length - maxShown, 'more is', 'more are')} in the recording.</p>
      )}
    </div>
  )
}

function WireEntry({ item, since }: { readonly item: WireItem; readonly since: number }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.entry} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className={styles.at}>+{duration(Math.max(0, item.at - since))}</span>
        <span className={styles.way}>{wayOf(item)}</span>
        <code>
          <Said text={nameOf(item)} oneLine />
        </code>
      </summary>
      {isOpen && <LongText text={bodyOf(item)} label={nameOf(item)} />}
    </details>
  )
}

function wayOf(item: WireItem): string {
  if (item.kind === 'http') return item.hop === 'caller' ? 'client, HTTP' : 'server, HTTP'
  if (item.hop === 'caller') return item.direction === 'received' ? 'client → host' : 'host → client'
  return item.direction === 'sent' ? 'host → server' : 'server → host'
}

function nameOf(item: WireItem): string {
  if (item.kind === 'http') return `${item.method} ${item.url} ${item.status}, ${duration(item.ms)}`
  const { method, id, error } = item.message
  if (method !== undefined) return id === undefined ? String(method) : `${method} #${id}`
  return `${error === undefined ? 'result' : 'error'} #${id}`
}

function bodyOf(item: WireItem): string {
  if (item.kind === 'message') return prettyJson(item.message)
  const lines = (headers: object) => Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [
    `${item.method} ${item.url}`,
    ...lines(item.requestHeaders),
    '',
    String(item.status),
    ...lines(item.responseHeaders),
  ].join('\n')
}

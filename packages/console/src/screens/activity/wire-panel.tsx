import { useQuery } from '@tanstack/react-query'
import type { RouteAnswer } from '@trunkline/host/page-api'
import { callHost } from '../../host/call.ts'
import { Failure } from '../../parts/failure.tsx'
import { Notice } from '../../parts/notice.tsx'
import { SideBySide } from './side-by-side.tsx'
import styles from './wire.module.css'
import { WireList } from './wire-list.tsx'

type WireItem = RouteAnswer<'wire'>['items'][number]
type WireMessage = Extract<WireItem, { readonly kind: 'message' }>

const againMs = 500
/** Attempts to load the messages that leave after an act has ended. */
const maxAgain = 6

/** The messages of an act on both hops beside each other, with what the gateway changed marked. */
export function WirePanel({ act, isOver }: { readonly act: string; readonly isOver: boolean }) {
  const { data, error } = useQuery({
    queryKey: ['wire', act, isOver],
    queryFn: ({ signal }) => callHost('wire', { act }, { signal }),
    refetchInterval: ({ state }) =>
      isAnswered(state.data?.items ?? []) || (isOver && state.dataUpdateCount > maxAgain) ? false : againMs,
  })
  if (!data) return <Failure error={error} />
  const messages = data.items.filter((item): item is WireMessage => item.kind === 'message')
  if (data.items.length === 0) return isOver ? <NotKept level={data.level} /> : null
  const asked = messages.filter((item) => item.hop === 'caller' && item.direction === 'received' && isRequest(item))
  const sent = messages.filter((item) => item.hop === 'server' && item.direction === 'sent' && isRequest(item))
  const back = messages.filter((item) => item.hop === 'server' && item.direction === 'received' && isAnswer(item))
  const told = messages.filter((item) => item.hop === 'caller' && item.direction === 'sent' && isAnswer(item))
  return (
    <section className={styles.wire} aria-label="What passed">
      <h3>JSON-RPC of both hops</h3>
      <SideBySide
        left={{ title: 'The client asked', value: asked.at(-1)?.message }}
        right={{ title: 'The server was asked', value: sent.at(-1)?.message }}
      />
      <SideBySide
        left={{ title: 'The client was answered', value: told.at(-1)?.message }}
        right={{ title: 'The server answered', value: back.at(-1)?.message }}
      />
      <WireList items={data.items} />
    </section>
  )
}

function NotKept({ level }: { readonly level: RouteAnswer<'wire'>['level'] }) {
  const why =
    level === 'off'
      ? 'The configuration says that nothing is recorded of this server.'
      : 'Its messages passed while no page was open, or made room for newer ones.'
  return <Notice>{why}</Notice>
}

function isAnswered(items: readonly WireItem[]): boolean {
  return items.some((item) => item.kind === 'message' && item.hop === 'caller' && isAnswer(item)) && hasHttp(items)
}

/** HTTP is told of when the response has left. */
function hasHttp(items: readonly WireItem[]): boolean {
  return items.some(({ kind, hop }) => kind === 'http' && hop === 'caller')
}

function isRequest({ message }: WireMessage): boolean {
  return message.method !== undefined && message.id !== undefined
}

function isAnswer({ message }: WireMessage): boolean {
  return message.method === undefined
}

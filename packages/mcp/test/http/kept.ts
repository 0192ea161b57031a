/** Sessions in stores, and stores that are slow. */
import { server } from '@trunkline/mcp'
import type { SessionRecord, SessionStore } from '@trunkline/mcp/http'
import { serveHttp } from '@trunkline/mcp/node'
import { quiet } from '../fixtures/quiet.ts'
import { gate } from '../gate.ts'
import { Mailbox } from '../mailbox.ts'
import { faceAt, openSession } from '../threats/faces.ts'

/** A server that notes what went wrong. */
export function reporting() {
  const reported: string[] = []
  const onError = (error: unknown, what: string): unknown => reported.push(`${what}: ${(error as Error).message}`)
  return { definition: server({ name: 'kept', ...quiet, onError }).resource('test:news', {}, () => ''), reported }
}

export const ping = { id: 1, method: 'ping' }
export const subscribe = (uri: string) => ({ id: uri, method: 'resources/subscribe', params: { uri } })

/** A session that was opened elsewhere. */
export async function opened(store: SessionStore) {
  await using elsewhere = await serveHttp(reporting().definition, { sessions: { store } })
  return await openSession(faceAt(elsewhere.url))
}

/** A store whose answers wait until they are let go. */
export function slow(memory: SessionStore) {
  const loads = new Mailbox<() => void>()
  const load = async (id: string): Promise<SessionRecord | undefined> => {
    const { promise, open } = gate()
    loads.put(open)
    await promise
    return memory.load(id)
  }
  return { store: { save: memory.save.bind(memory), drop: memory.drop.bind(memory), load }, loads }
}

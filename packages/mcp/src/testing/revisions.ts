import type { ClientOptions } from '../client/client-options.ts'
import type { ClientExtension } from '../client/extension.ts'
import { type Connection, open } from '../client/open.ts'
import { dialects } from '../dialects/select-dialect.ts'
import type { ServerTypes } from '../model/server-types.ts'
import type { Server } from '../server/server.ts'
import { memoryPair } from '../transports/memory.ts'
import { Transcript } from './transcript.ts'

/** All revisions, newest first. */
export const revisions: readonly string[] = dialects.map(({ revision }) => revision)

/** A server and a client connected in memory, with their transcript. */
export interface Pair<Types extends ServerTypes, On extends readonly ClientExtension[] = readonly ClientExtension[]>
  extends AsyncDisposable {
  readonly client: Connection<Types, On>
  readonly transcript: Transcript
}

/** Connects a client to a server in memory. */
export async function join<
  Has extends ServerTypes,
  const On extends readonly ClientExtension[] = readonly ClientExtension[],
>(server: Server<Has>, options: ClientOptions & { readonly extensions?: On } = {}): Promise<Pair<Has, On>> {
  const transcript = new Transcript()
  const client = await open<Has, On>(() => {
    const [near, far] = memoryPair()
    server.serve(far)
    return transcript.record(near)
  }, options)
  return { client, transcript, [Symbol.asyncDispose]: () => client.close() }
}

/** Runs a test with a client of each revision; an error names the revision. */
export async function everyRevision<
  Has extends ServerTypes,
  const On extends readonly ClientExtension[] = readonly ClientExtension[],
>(
  server: Server<Has>,
  test: (pair: Pair<Has, On>) => Promise<void> | void,
  options: Omit<ClientOptions, 'revisions'> & { readonly extensions?: On } = {},
): Promise<void> {
  for (const revision of revisions) {
    const pair = await join<Has, On>(server, { ...options, revisions: [revision] })
    try {
      await test(pair)
    } catch (error) {
      throw new Error(`Failed in revision ${revision}`, { cause: error })
    } finally {
      await pair.client.close()
    }
  }
}

import type { Client, ClientOptions, Server, ServerTypes } from '../../src/index.ts'

/** A short talk of a client and a server that shows one side of the protocol. */
export interface Topic {
  /** Story of the topic, in one sentence; the opening is left out unless it is the topic. */
  readonly says: string
  readonly opening?: true
  server(): Server<ServerTypes>
  readonly options?: Omit<ClientOptions, 'revisions'>
  talk(client: Client, server: Server<ServerTypes>): Promise<void>
}

/** Options that the servers of all topics share. */
export const cafe = {
  name: 'cafe',
  version: '1.0.0',
  onError: () => {},
  onWarning: () => {},
  keys: ['a key for transcripts, long enough to be one'],
} as const

/** The client of all topics. */
export const guest = { name: 'guest', version: '1.0.0' } as const

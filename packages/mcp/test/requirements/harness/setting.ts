import assert from 'node:assert/strict'
import { type Channel, type Client, type ClientOptions, connect } from '../../../src/index.ts'
import { Transcript } from '../../../src/testing.ts'
import type { Scene } from '../../fixtures/puppet.ts'
import type { Revision, Transport } from '../requirement.ts'
import { greeting } from './dress.ts'
import { endingWith } from './ending.ts'
import type { Place, Reached, ReachOptions } from './place.ts'
import { type Heard, RawEnd, type RawOptions } from './raw-end.ts'

type Reaching = Omit<ReachOptions, 'revision'>

/** One revision over one transport: what a test of a requirement works with. All it opens is closed after the test. */
export interface Setting {
  readonly revision: Revision
  readonly transport: Transport
  /** Messages that the clients of this test sent and received. */
  readonly transcript: Transcript
  /** Warnings to the clients of this test. */
  readonly warnings: readonly string[]
  /** A client of a fixture. */
  open(fixture: string, options?: ClientOptions & Reaching): Promise<Client>
  /** A client of a scripted server; what the script leaves out of the opening is as the revision has it. */
  play(scene: Scene, options?: ClientOptions): Promise<Client>
  /** The wire to a fixture, with the conversation opened unless `greet` says otherwise. */
  raw(fixture: string, options?: RawOptions & Reaching & { readonly greet?: false }): Promise<RawEnd>
  /** Messages that the clients of this test sent so far: all of them, or one method. */
  sent(method?: string): readonly Heard[]
}

export interface Scenery {
  readonly place: Place
  readonly revision: Revision
  readonly transport: Transport
  /** Closes, after the test, what the test opened. */
  readonly stack: AsyncDisposableStack
}

/** Sets the scene for one test. */
export function settingOf({ place, revision, transport, stack }: Scenery): Setting {
  const transcript = new Transcript()
  const warnings: string[] = []

  async function reach(fixture: string, options: Reaching): Promise<Reached> {
    const reached = await place.reach(fixture, { ...options, revision })
    let finished: Promise<void> | undefined
    const finish = (): Promise<void> => {
      finished ??= reached.finish()
      return finished
    }
    stack.defer(finish)
    return { ...reached, finish }
  }

  /** A channel whose end is the end of the talk. */
  async function dial(fixture: string, options: Reaching): Promise<Channel> {
    const { channel, finish } = await reach(fixture, options)
    return endingWith(channel(), finish)
  }

  async function join(dial: () => Promise<Channel>, options: ClientOptions): Promise<Client> {
    const shared = { revisions: [revision], onWarning: (message: string) => warnings.push(message) }
    const left = new Set<Channel>()
    stack.defer(() => assert.equal(left.size, 0, 'the client left a channel open'))
    const dialAndWatch = async (): Promise<Channel> => {
      const channel = transcript.record(await dial())
      left.add(channel)
      const close = (): Promise<void> => {
        left.delete(channel)
        return channel.close()
      }
      return { ...channel, close }
    }
    const client = await connect(dialAndWatch, { ...shared, ...options })
    stack.defer(() => closed(client))
    return client
  }

  return {
    revision,
    transport,
    transcript,
    warnings,
    open: (fixture, { fresh = false, principal, fetch, ...options } = {}) =>
      join(() => dial(fixture, { fresh, principal, fetch }), options),
    play: (scene, options = {}) => join(() => place.stage({ ...greeting(revision), ...scene }), options),
    async raw(fixture, { greet, fresh = false, principal, ...options } = {}) {
      const { wire, finish } = await reach(fixture, { fresh, principal })
      const end = new RawEnd({ wire: wire(), revision, close: finish, ...options })
      if (greet !== false) await end.greet()
      return end
    },
    sent(method) {
      const said = transcript.lines
        .filter(({ from }) => from === 'client')
        .map(({ message }) => message as unknown as Heard)
      return method === undefined ? said : said.filter((message) => message.method === method)
    },
  }
}

async function closed(client: Client): Promise<void> {
  const { pending, watching } = client.live
  await client.close()
  assert.ok(pending <= watching, `${pending} calls are open, of which ${watching} watch`)
  assert.deepEqual(client.live, { pending: 0, serving: 0, watching: 0 })
}

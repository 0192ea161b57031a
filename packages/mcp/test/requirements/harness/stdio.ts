import { PassThrough, Writable } from 'node:stream'
import type { Channel } from '../../../src/index.ts'
import { spawnChannel } from '../../../src/stdio.ts'
import { StdioChannel } from '../../../src/transports/stdio/stdio-channel.ts'
import { Child, programOf } from './child.ts'
import { isStateless } from './dress.ts'
import type { Place, Wire } from './place.ts'

/** Programs that wait for the next test, by fixture, and apart by whether hands are shaken with them. */
const idle = new Map<string, Child[]>()
const distrusted: Child[] = []

/** Servers that are programs; where a test does not need one that is fresh, it gets one that served another. */
export const stdio: Place = {
  async reach(fixture, { revision, fresh = false }) {
    const key = `${fixture} ${isStateless(revision) ? 'stateless' : 'handshake'}`
    const child = (fresh ? undefined : idle.get(key)?.pop()) ?? new Child(fixture)
    const release = async (): Promise<void> => {
      await child.settle()
      idle.set(key, [...(idle.get(key) ?? []), child])
    }
    return {
      channel: () => channelOf(child.wire()),
      wire: () => child.wire(),
      finish: () => (fresh ? child.close() : release()),
    }
  },

  async stage(scene) {
    return spawnChannel(programOf('puppet', JSON.stringify(scene)))
  },

  distrust() {
    distrusted.push(...[...idle.values()].flat())
    idle.clear()
  },

  async close() {
    for (const child of distrusted) child.kill()
    await Promise.all([...idle.values()].flat().map((child) => child.close()))
  },
}

/** A client's channel over the pipes of a program that lives on when the channel is closed. */
function channelOf(wire: Wire): Channel {
  const input = new PassThrough()
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      wire.send(chunk.toString().trimEnd())
      done()
    },
  })
  wire.listen((line) => input.write(`${line}\n`))
  return new StdioChannel({ input, output }, { role: 'client' })
}

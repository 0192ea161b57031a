import assert from 'node:assert/strict'
import type { Channel, Receiver, Server, ServerTypes } from '../../../src/index.ts'
import { memoryPair } from '../../../src/testing.ts'
import { puppet, type Scene } from '../../fixtures/puppet.ts'
import type { Place, Reached, Wire } from './place.ts'

/** Servers in this process; each test gets one of its own. */
export const memory: Place = {
  async reach(fixture, { principal }) {
    const { create } = (await import(`../../fixtures/${fixture}.ts`)) as { create(): Server<ServerTypes> }
    const [near, far] = memoryPair()
    return reached(create(), near, principal === undefined ? far : signed(far, principal))
  },

  async stage(scene: Scene) {
    const [near, far] = memoryPair()
    const react = puppet(scene)
    listen(far, (heard) => {
      for (const saying of react(heard as never)) {
        if (saying === 'exit') void far.close()
        else void far.send(saying as never)
      }
    })
    return near
  },

  // nothing is shared, so nothing is spoilt and nothing is left
  distrust() {},
  async close() {},
}

function reached(definition: Server<ServerTypes>, near: Channel, far: Channel): Reached {
  const talk = definition.serve(far)
  return {
    channel: () => near,
    wire: () => wireOf(near),
    async finish() {
      await near.close()
      await talk.peer.whenClosed
      assert.deepEqual(talk.live, { pending: 0, serving: 0, watching: 0 })
      assert.deepEqual(definition.live, { connections: 0, watchers: 0 })
    },
  }
}

function wireOf(channel: Channel): Wire {
  return {
    send: (text) => void channel.send(JSON.parse(text)),
    listen: (listener) => listen(channel, (message) => listener(JSON.stringify(message))),
  }
}

function listen(channel: Channel, message: Receiver['message']): void {
  channel.open({ message, malformed() {}, failed() {}, async ended() {}, closed() {} })
}

/** A channel that knows who sends, as an authenticated transport does. */
function signed(channel: Channel, principal: string): Channel {
  return {
    open: (receiver) =>
      channel.open({
        message: (message) => receiver.message(message, { principal }),
        malformed: (...args) => receiver.malformed(...args),
        failed: (...args) => receiver.failed(...args),
        ended: () => receiver.ended(),
        closed: (reason) => receiver.closed(reason),
      }),
    send: (message, options) => channel.send(message, options),
    close: () => channel.close(),
  }
}

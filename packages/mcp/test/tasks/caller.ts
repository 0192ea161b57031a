import { open } from '../../src/client/open.ts'
import { tasks } from '../../src/extensions/tasks/tasks.ts'
import type { Channel, Sender } from '../../src/rpc/channel.ts'
import type { Servable } from '../../src/server/connections.ts'
import { memoryPair } from '../../src/transports/memory.ts'
import { ann } from './render.ts'

/** A client of whom the server's transport knows this much. */
export function caller(server: Servable, revision: string, sender?: Sender) {
  return open(dialing(server, sender), { revisions: [revision], extensions: [tasks()], elicitation: ann })
}

/** A client that knows nothing of tasks, so that its requests are what they are. */
export function plainCaller(server: Servable, revision: string) {
  return open(dialing(server), { revisions: [revision], elicitation: ann })
}

/** Dials a server as a given sender. */
export function dialing(server: Servable, sender?: Sender): () => Channel {
  return () => {
    const [near, far] = memoryPair()
    server.serve(sender ? from(far, sender) : far)
    return near
  }
}

/** A channel whose messages come from a given sender. */
function from(channel: Channel, sender: Sender): Channel {
  return {
    ...channel,
    open: (receiver) =>
      channel.open({
        message: (message) => receiver.message(message, sender),
        malformed: (error, id) => receiver.malformed(error, id),
        failed: (id, reason) => receiver.failed(id, reason),
        ended: () => receiver.ended(),
        closed: (reason) => receiver.closed(reason),
      }),
    send: (message, options) => channel.send(message, options),
    close: () => channel.close(),
  }
}

import { runAtTime } from '../../../rpc/run-at-time.ts'
import type { HttpReply } from './request-reply.ts'

/** A reply whose stream is closed at a time as in `Date.now()`, as if its reader had disconnected. */
export function endAtExpiry(reply: HttpReply, time: number): HttpReply {
  const leaving: (() => void)[] = []
  return {
    whole: (status, headers, body) => reply.whole(status, headers, body),
    stream(headers) {
      const sink = reply.stream(headers)
      const callOff = runAtTime(time, () => {
        for (const leave of leaving) leave()
        sink.end()
      })
      reply.onGone(callOff)
      const end = (): void => {
        callOff()
        sink.end()
      }
      return {
        write: (text) => sink.write(text),
        get full() {
          return sink.full
        },
        end,
      }
    },
    onLeft: (listener) => reply.onLeft(listener),
    onGone(listener) {
      leaving.push(listener)
      reply.onGone(listener)
    },
  }
}

import { callHost } from './call.ts'
import { pageSecret } from './secret.ts'
import { signIn } from './sign-in.ts'

/**
 * Messages between the pages of one browser at this origin; pages of other sites and of other ports have other channels.
 * No secret passes here: a code works once, for ten seconds, and the new page trades it for a secret of its own.
 */
type Message =
  | { readonly kind: 'ask'; readonly from: string }
  | { readonly kind: 'code'; readonly to: string; readonly code: string }
  | { readonly kind: 'signed in' }

const name = 'trunkline-sign-in'

/** Vouches for new pages of this browser for as long as this one is open and signed in. */
export function vouchForNewPages(): void {
  const channel = new BroadcastChannel(name)
  const send = (message: Message) => channel.postMessage(message)
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'ask' || pageSecret() === undefined) return
    // of several open pages, one answers
    void navigator.locks
      .request(`${name} ${data.from}`, { ifAvailable: true }, async (lock) => {
        if (!lock) return
        const { code } = await callHost('vouchForPage')
        send({ kind: 'code', to: data.from, code })
      })
      .catch(() => {})
  }
  send({ kind: 'signed in' })
}

/** Signs this page in if an open one vouches for it, now or later; never settles while none does. */
export function signInByOpenPage(): Promise<void> {
  const channel = new BroadcastChannel(name)
  const from = crypto.randomUUID()
  const ask = () => channel.postMessage({ kind: 'ask', from } satisfies Message)
  return new Promise((resolve) => {
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'signed in') ask()
      if (data.kind !== 'code' || data.to !== from) return
      void signIn(data.code).then(
        () => {
          channel.close()
          resolve()
        },
        () => {},
      )
    }
    ask()
  })
}

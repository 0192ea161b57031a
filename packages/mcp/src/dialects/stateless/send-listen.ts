import { controlMethods } from '../../model/control-methods.ts'
import type { Id } from '../../wire/messages.ts'
import { type Fields, isObject } from '../../wire/messages.ts'
import { decodeChange } from '../change-notifications.ts'
import type { Link, Watch } from '../dialect.ts'
import { meta } from './request-meta.ts'
import { filterOf } from './serve-listen.ts'

/** Sends `subscriptions/listen` and reports its notifications, which carry the id of the request. */
export function sendListen(
  link: Link,
  { interest, filter, signal, onChange, onNotice, onAgreed, onEnd }: Watch,
): Promise<void> {
  return new Promise((agreed, refused) => {
    let id: Id | undefined
    const enough = new AbortController()
    const stop = link.listen((method, params) => {
      if (method === controlMethods.cancelled && params.requestId === id) return enough.abort()
      if (!isObject(params._meta) || params._meta[meta.subscription] !== id) return
      if (method === 'notifications/subscriptions/acknowledged') {
        onAgreed?.(params.notifications as Fields)
        return agreed()
      }
      const change = decodeChange(method, params)
      if (change) onChange(change)
      else onNotice?.(method, params)
    })
    const forever = { timeoutMs: Number.POSITIVE_INFINITY, maxTotalMs: Number.POSITIVE_INFINITY, token: false }
    const onSent = (sent: Id): void => {
      id = sent
    }
    const ended = (reason: unknown): void => {
      stop()
      refused(reason)
      if (!signal.aborted) onEnd(reason)
    }
    const params: Fields = { notifications: { ...filterOf(interest), ...filter } }
    const either = AbortSignal.any([signal, enough.signal])
    link
      .call('subscriptions/listen', params, { ...forever, signal: either, onSent })
      .then(() => ended(undefined), ended)
  })
}

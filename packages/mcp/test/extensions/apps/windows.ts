/** A page and a frame in it, as far as messages go: what is posted is copied, and arrives later with its origin and source. */

import type { HostWindow, ViewFrame, ViewWindow, WindowMessage } from '../../../src/apps.ts'
import { soon } from '../../soon.ts'

/** Actions of the page inside of a frame. */
export interface Inside {
  /** Messages that the host posted, in order. */
  readonly heard: { readonly [member: string]: unknown }[]
  /** Resolves with the first message heard that fits. */
  until(fits: (message: { readonly [member: string]: unknown }) => boolean): Promise<{ [member: string]: unknown }>
  post(data: unknown, from?: Partial<WindowMessage>): void
  /** Makes a request, and resolves with its answer. */
  ask(method: string, params?: object): Promise<{ [member: string]: unknown }>
}

/** A page with one frame. */
export function page(origin?: string) {
  const listeners = new Set<(event: WindowMessage) => void>()
  const waiting = new Set<() => void>()
  const heard: { [member: string]: unknown }[] = []
  const contentWindow: ViewWindow = {
    postMessage: (message) => {
      heard.push(structuredClone(message) as never)
      for (const look of waiting) look()
    },
  }
  const hostWindow: HostWindow = {
    ...(origin !== undefined && { origin }),
    addEventListener: (_, listener) => listeners.add(listener),
    removeEventListener: (_, listener) => listeners.delete(listener),
  }
  const attributes = new Map<string, string>()
  const loads = new Set<() => void>()
  const frame: ViewFrame = {
    contentWindow,
    setAttribute: (name, value) => void attributes.set(name, value),
    removeAttribute: (name) => void attributes.delete(name),
    addEventListener: (_, listener) => void loads.add(listener),
    removeEventListener: (_, listener) => void loads.delete(listener),
  }
  let ids = 0
  const inside: Inside = {
    heard,
    until: (fits) => {
      const found = new Promise<{ [member: string]: unknown }>((resolve) => {
        const look = (): void => {
          const message = heard.find(fits)
          if (!message) return
          waiting.delete(look)
          resolve(message)
        }
        waiting.add(look)
        look()
      })
      return soon(found, `a message of the host; it sent ${heard.length}, and none is the wanted one`)
    },
    post: (data, from = {}) => {
      const event = { data: structuredClone(data), origin: 'null', source: contentWindow, ...from }
      for (const listener of [...listeners]) listener(event)
    },
    ask: (method, params = {}) => {
      const id = ++ids
      const answer = inside.until((message) => message.id === id && message.method === undefined)
      inside.post({ jsonrpc: '2.0', id, method, params })
      return answer
    },
  }
  const load = (): void => {
    for (const listener of [...loads]) listener()
  }
  return { hostWindow, frame, inside, attributes, load, listeners }
}

import { openView, type View, type ViewBridge } from '@trunkline/mcp/apps'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { appClient } from './app-client.ts'
import { appContext, followTheme } from './app-context.ts'
import type { ShownCall } from './app-panel.tsx'
import { type AppNotes, addNote, frameFor, sandboxAddress, sizeOf } from './app-place.ts'
import { limitedWindow, maxMessagesPerSecond } from './limited-window.ts'

/** A page that an app wants the person to visit. */
export interface AskedLink {
  readonly url: URL
  answer(isOpened: boolean): void
}

export interface RunningApp {
  readonly place: RefObject<HTMLDivElement | null>
  /** Why it runs no more. */
  readonly ended: string | undefined
  readonly link: AskedLink | undefined
  readonly notes: readonly string[]
  /** Lets it finish and ends it. */
  close(): Promise<void>
}

/** Work of an app that is done at the same time; each may be a question to the person. */
const maxRequestsInFlight = 4

/** Runs an app in a frame for as long as the component is shown. */
export function useApp(view: View, call: ShownCall): RunningApp {
  const place = useRef<HTMLDivElement>(null)
  const bridge = useRef<ViewBridge>(undefined)
  const [ended, setEnded] = useState<string>()
  const [link, setLink] = useState<AskedLink>()
  const [notes, setNotes] = useState<AppNotes>([])
  const given = useRef({ view, call })
  useEffect(() => {
    if (!place.current) return
    const frame = frameFor(place.current, given.current.call.tool.server)
    const note = (text: string) => setNotes((before) => addNote(before, text))
    let why = 'The app ended.'
    const opened = openView({
      view: given.current.view,
      frame,
      sandboxUrl: sandboxAddress(given.current.view),
      hostWindow: limitedWindow(window, {
        source: () => frame.contentWindow,
        onFlood() {
          why = `The app sent more than ${maxMessagesPerSecond} messages in a second, so it was ended.`
          void opened.abandon()
        },
      }),
      client: appClient(given.current.call.tool.server),
      host: { name: 'trunkline-console', version: '1' },
      context: appContext(given.current.call.tool.definition),
      limits: { maxRequestsInFlight },
      onOpenLink: (url) => asked(url, setLink),
      onSize: (size) => sizeOf(frame, size),
      onLog: ({ data }) => note(typeof data === 'string' ? data : (JSON.stringify(data) ?? '')),
      onCloseRequest: () => void opened.close(),
      onWarning(text) {
        why = text
        note(text)
      },
    })
    bridge.current = opened
    void opened.closed.then(() => setEnded(why))
    void tell(opened, given.current.call).catch(() => {})
    const unfollow = followTheme(opened)
    return () => {
      unfollow()
      void opened.abandon()
      frame.remove()
    }
  }, [])
  return { place, ended, link, notes, close: async () => bridge.current?.close() }
}

/** Tells the app of the call; one that ends before it is ready is told nothing, and its end is shown. */
async function tell(bridge: ViewBridge, { input, result }: ShownCall): Promise<void> {
  await bridge.toolInput(input)
  await bridge.toolResult(result as unknown as Parameters<ViewBridge['toolResult']>[0])
}

/** One page at a time: a second one is refused while the person looks at the first. */
function asked(url: URL, show: (change: (now: AskedLink | undefined) => AskedLink | undefined) => void) {
  return new Promise<boolean>((resolve) => {
    show((now) => {
      if (now) {
        resolve(false)
        return now
      }
      const answer = (isOpened: boolean) => {
        show(() => undefined)
        resolve(isOpened)
      }
      return { url, answer }
    })
  })
}

import { openView, type View, type ViewBridge, type ViewMessage } from '@trunkline/mcp/apps'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { appClient } from './app-client.ts'
import { appContext, followTheme } from './app-context.ts'
import type { ShownCall } from './app-panel.tsx'
import { type AppNotes, addNote, frameFor, sandboxAddress, sizeOf } from './app-place.ts'
import { textToSay } from './app-talk.ts'
import { type Asked, ask } from './asked.ts'
import { limitedWindow, maxMessagesPerSecond } from './limited-window.ts'

export interface RunningApp {
  readonly place: RefObject<HTMLDivElement | null>
  /** Reason why it ended. */
  readonly ended: string | undefined
  /** A page that it wants the person to visit. */
  readonly link: Asked<URL> | undefined
  /** Message that it wants to send to the conversation. */
  readonly message: Asked<string> | undefined
  readonly notes: readonly string[]
  /** Lets it finish and ends it. */
  close(): Promise<void>
}

/** Work of an app that is done at the same time; each may be a question to the person. */
const maxRequestsInFlight = 4

export interface UseAppOptions {
  readonly view: View
  readonly call: ShownCall
  /** True if there is a conversation to send messages to. */
  readonly canTalk: boolean
}

/** Runs an app in a frame for as long as the component is shown. */
export function useApp({ view, call, canTalk }: UseAppOptions): RunningApp {
  const place = useRef<HTMLDivElement>(null)
  const bridge = useRef<ViewBridge>(undefined)
  const [ended, setEnded] = useState<string>()
  const [link, setLink] = useState<Asked<URL>>()
  const [message, setMessage] = useState<Asked<string>>()
  const [notes, setNotes] = useState<AppNotes>([])
  const given = useRef({ view, call, canTalk })
  useEffect(() => {
    if (!place.current) return
    const { server } = given.current.call.tool
    const frame = frameFor(place.current, server)
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
      client: appClient(server),
      host: { name: 'trunkline-console', version: '1' },
      context: appContext(given.current.call.tool.definition),
      limits: { maxRequestsInFlight },
      onOpenLink: (url) => ask(url, setLink),
      ...(given.current.canTalk && {
        onMessage: (said: ViewMessage) => {
          const text = textToSay(server, said)
          return text !== undefined && ask(text, setMessage)
        },
      }),
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
  return { place, ended, link, message, notes, close: async () => bridge.current?.close() }
}

/** Tells the app of the call; one that ends before it is ready is told nothing, and its end is shown. */
async function tell(bridge: ViewBridge, { input, result }: ShownCall): Promise<void> {
  await bridge.toolInput(input)
  await bridge.toolResult(result as unknown as Parameters<ViewBridge['toolResult']>[0])
}

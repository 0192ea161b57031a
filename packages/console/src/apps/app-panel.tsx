import { type View, viewFrom, viewUriOf } from '@trunkline/mcp/apps'
import { lazy, Suspense, useState } from 'react'
import { callHost } from '../host/call.ts'
import type { CatalogueEntry } from '../host/queries.ts'
import { Button } from '../parts/button.tsx'
import { Failure } from '../parts/failure.tsx'
import { Panel } from '../parts/panel.tsx'
import { Said } from '../text/said.tsx'
import type { AppTalk } from './app-talk.ts'
import { AppWishes } from './app-wishes.tsx'
import styles from './apps.module.css'

const AppFrame = lazy(() => import('./app-frame.tsx').then(({ AppFrame }) => ({ default: AppFrame })))

/** A call whose result an app shows. */
export interface ShownCall {
  readonly tool: CatalogueEntry
  readonly input: { readonly [key: string]: unknown }
  readonly result: { readonly [key: string]: unknown }
}

type Stage =
  | { readonly stage: 'closed' | 'reading' }
  | { readonly stage: 'asks' | 'open'; readonly view: View }
  | { readonly stage: 'failed'; readonly error: unknown }

export interface AppPanelProps {
  readonly call: ShownCall
  /** The conversation that it is shown in. @default none */
  readonly talk?: AppTalk
}

/** The app of a tool, where it has one: nothing of it is fetched or run before a click that names its server. */
export function AppPanel({ call, talk }: AppPanelProps) {
  const { server, definition } = call.tool
  const uri = viewUriOf(definition as Parameters<typeof viewUriOf>[0])
  const [now, setNow] = useState<Stage>({ stage: 'closed' })
  if (uri === undefined) return null
  const read = async () => {
    setNow({ stage: 'reading' })
    try {
      const view = await readView(server, uri)
      setNow({ stage: wantsNothing(view) ? 'open' : 'asks', view })
    } catch (error) {
      setNow({ stage: 'failed', error })
    }
  }
  const close = () => setNow({ stage: 'closed' })
  return (
    <Panel
      title={
        <>
          App of <Said text={server} oneLine />
        </>
      }
    >
      {(now.stage === 'closed' || now.stage === 'reading') && (
        <div className={styles.start}>
          <Button disabled={now.stage === 'reading'} onClick={() => void read()}>
            Start the app of {server}
          </Button>
          <span className={styles.faint}>
            Code of this server runs here, in a frame that sees nothing of this page and calls tools of {server} only.
          </span>
        </div>
      )}
      {now.stage === 'failed' && <Failure error={now.error} />}
      {now.stage === 'asks' && (
        <AppWishes
          view={now.view}
          server={server}
          onStart={(view) => setNow({ stage: 'open', view })}
          onClose={close}
        />
      )}
      {now.stage === 'open' && (
        <Suspense>
          <AppFrame view={now.view} call={call} onClose={close} {...(talk && { talk })} />
        </Suspense>
      )}
    </Panel>
  )
}

async function readView(server: string, uri: string): Promise<View> {
  const { result, error } = await callHost('readResource', { server, uri, by: 'app' })
  if (!result) throw new Error(error?.message ?? 'The server did not answer')
  return viewFrom(uri, result as unknown as Parameters<typeof viewFrom>[1])
}

function wantsNothing({ csp, permissions, ignored }: View): boolean {
  return Object.keys(csp).length + Object.keys(permissions).length + ignored.length === 0
}

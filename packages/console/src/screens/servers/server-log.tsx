import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { logQuery } from '../../host/queries.ts'
import { Panel } from '../../parts/panel.tsx'
import { clockTime } from '../../text/relative-time.ts'
import { Said } from '../../text/said.tsx'
import styles from './servers.module.css'

/** What a server wrote to stderr, as it writes it. */
export function ServerLog({ name }: { readonly name: string }) {
  const { data } = useQuery(logQuery(name))
  const lines = data?.items ?? []
  const place = useRef<HTMLDivElement>(null)
  const last = lines.at(-1)
  useEffect(() => {
    const shown = place.current
    if (shown && last) shown.scrollTop = shown.scrollHeight
  }, [last])
  return (
    <Panel title="What it wrote to stderr">
      {lines.length === 0 && <p className={styles.unused}>Nothing yet.</p>}
      {lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <div ref={place} className={styles.log} role="log" aria-label={`stderr of ${name}`} tabIndex={0}>
          {lines.map(({ at, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines only ever move up
            <div key={index}>
              <span className={styles.at}>{clockTime(at)}</span>
              <Said text={text} />
            </div>
          ))}
        </div>
      )}
    </Panel>
  )
}

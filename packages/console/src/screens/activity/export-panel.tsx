import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ActRow } from '../../host/acts.ts'
import { callHost } from '../../host/call.ts'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { plural } from '../../text/plural.ts'
import { actsAsCsv, actsAsJson } from './act-list-file.ts'
import styles from './activity.module.css'
import { otlpTraces } from './otlp.ts'

/** Saves what is shown for other tools. */
export function ExportPanel({
  rows,
  servers,
}: {
  readonly rows: readonly ActRow[]
  readonly servers: readonly string[]
}) {
  const [server, setServer] = useState(servers[0] ?? '')
  const recording = useMutation({
    mutationFn: async () => {
      const { lines } = await callHost('recording', { server })
      saveFile(`${server}.jsonl`, `${lines.join('\n')}\n`, 'application/jsonl')
    },
  })
  const traces = useMutation({
    mutationFn: async () => {
      const since = rows.reduce((first, { at }) => Math.min(first, at), Date.now())
      const { spans } = await callHost('timeline', { since })
      saveFile('traces.json', JSON.stringify(otlpTraces(rows, spans), undefined, 2), 'application/json')
    },
  })
  return (
    <Panel title="Save for other tools">
      <div className={styles.exports}>
        <div className={styles.export}>
          <p>The list as it is shown: {plural(rows.length, 'row')}, without arguments and results.</p>
          <div className="buttons">
            <Button disabled={rows.length === 0} onClick={() => saveFile('activity.csv', actsAsCsv(rows), 'text/csv')}>
              Save as CSV
            </Button>
            <Button
              disabled={rows.length === 0}
              onClick={() => saveFile('activity.json', actsAsJson(rows), 'application/json')}
            >
              Save as JSON
            </Button>
          </div>
        </div>
        <div className={styles.export}>
          <Field
            label="Recording of a server"
            hint="The messages between host and server that passed while a page was open, without secrets. Play it with: trunkline replay FILE"
          >
            {(ids) => (
              <select {...ids} value={server} onChange={({ target }) => setServer(target.value)}>
                {servers.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            )}
          </Field>
          <Button disabled={server === '' || recording.isPending} onClick={() => recording.mutate()}>
            Save recording
          </Button>
          <Failure error={recording.error} />
        </div>
        <div className={styles.export}>
          <p>
            OpenTelemetry: {plural(rows.length, 'act')} as traces of OTLP in JSON, with waits, rounds and retries as
            spans.
          </p>
          <Button disabled={rows.length === 0 || traces.isPending} onClick={() => traces.mutate()}>
            Save traces
          </Button>
          <Failure error={traces.error} />
        </div>
      </div>
    </Panel>
  )
}

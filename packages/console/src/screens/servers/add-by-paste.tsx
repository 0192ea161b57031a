import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callHost } from '../../host/call.ts'
import { Button } from '../../parts/button.tsx'
import { Code } from '../../parts/code.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { prettyJson } from '../../text/json.ts'
import { Said } from '../../text/said.tsx'
import styles from './servers.module.css'
import { useAddServer } from './use-add-server.ts'

/** Adds servers out of the configuration of any client. */
export function AddByPaste() {
  const [text, setText] = useState('')
  const read = useMutation({ mutationFn: () => callHost('readServers', { text }) })
  const add = useAddServer()
  return (
    <Panel title="From the configuration of a client">
      <div className={styles.form}>
        <Field label="Paste it here" hint="JSON or TOML of any client; nothing is written before you choose one">
          {(ids) => (
            <textarea
              {...ids}
              className="code"
              rows={8}
              value={text}
              onChange={({ target }) => {
                setText(target.value)
                read.reset()
              }}
            />
          )}
        </Field>
        <div>
          <Button disabled={text.trim() === '' || read.isPending} onClick={() => read.mutate()}>
            Look for servers
          </Button>
        </div>
        <Failure error={read.error ?? add.error} />
        {read.data?.problems.map((problem) => (
          <Notice key={problem} tone="warn">
            <Said text={problem} />
          </Notice>
        ))}
        {read.data?.items.map(({ name, entry, shown, secrets }) => (
          <div key={name} className={styles.form}>
            <Code text={prettyJson({ [name]: shown })} label={`entry of ${name}`} canCopy={false} />
            {secrets.length > 0 && (
              <p className={styles.why}>
                Stored apart from the file: <Said text={secrets.join(', ')} oneLine />
              </p>
            )}
            <div>
              <Button disabled={add.isPending} onClick={() => add.mutate({ name, entry: known(entry) })}>
                Add <Said text={name} oneLine />
              </Button>
            </div>
          </div>
        ))}
      </div>
    </Panel>
  )
}

const keys = ['command', 'args', 'env', 'cwd', 'url', 'headers', 'data']

function known(entry: Record<string, unknown>): Record<string, never> {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => keys.includes(key))) as Record<string, never>
}

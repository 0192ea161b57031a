import type { RouteInput } from '@trunkline/host/page-api'
import { type FormEvent, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import styles from './servers.module.css'
import { splitCommand } from './split-command.ts'
import { useAddServer } from './use-add-server.ts'

/** Marks of a server's data to choose from. */
const dataMarks: { readonly [key in 'none' | 'private' | 'untrusted' | 'both']: DataMarkChoice } = {
  none: { title: 'Neither private nor written by strangers' },
  private: { title: 'Private', data: 'private' },
  untrusted: { title: 'Written by strangers', data: 'untrusted' },
  both: { title: 'Private, and written by strangers', data: ['private', 'untrusted'] },
}

interface DataMarkChoice {
  readonly title: string
  readonly data?: RouteInput<'addServer'>['entry']['data']
}

/** Adds a server by its name and its command or address. */
export function AddByForm() {
  const [name, setName] = useState('')
  const [target, setTarget] = useState('')
  const [variables, setVariables] = useState('')
  const [marks, setMarks] = useState<keyof typeof dataMarks>('none')
  const add = useAddServer()
  const isAddress = /^https?:\/\//.test(target.trim())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const [command = '', ...args] = splitCommand(target)
    const pairs = pairsOf(variables, isAddress ? ':' : '=')
    const launch = isAddress
      ? { url: target.trim(), ...(variables.trim() !== '' && { headers: pairs }) }
      : { command, args, ...(variables.trim() !== '' && { env: pairs }) }
    const { data } = dataMarks[marks]
    add.mutate({ name: name.trim(), entry: { ...launch, ...(data && { data }) } })
  }
  return (
    <Panel title="By hand">
      <form className={styles.form} onSubmit={submit}>
        <Field label="Name" hint="a-z, 0-9 and -">
          {(ids) => <input {...ids} value={name} required onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field label="Command or address" hint="Such as: npx -y @acme/notes-server, or https://example.com/mcp">
          {(ids) => <input {...ids} value={target} required onChange={(event) => setTarget(event.target.value)} />}
        </Field>
        <Field
          label={isAddress ? 'Headers' : 'Variables'}
          hint={`One a line, as NAME${isAddress ? ': ' : '='}value; keys are stored apart from the file, or write secret:NAME for one that is stored`}
        >
          {(ids) => (
            <textarea {...ids} rows={2} value={variables} onChange={(event) => setVariables(event.target.value)} />
          )}
        </Field>
        <Field label="Data" hint="You are asked before private data can leave once what strangers wrote was read, too">
          {(ids) => (
            <select {...ids} value={marks} onChange={(event) => setMarks(event.target.value as keyof typeof dataMarks)}>
              {Object.entries(dataMarks).map(([key, { title }]) => (
                <option key={key} value={key}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Field>
        <div>
          <Button tone="primary" type="submit" disabled={add.isPending || name.trim() === '' || target.trim() === ''}>
            Add
          </Button>
        </div>
        <Failure error={add.error} />
      </form>
    </Panel>
  )
}

function pairsOf(text: string, separator: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.includes(separator))
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(separator)
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}

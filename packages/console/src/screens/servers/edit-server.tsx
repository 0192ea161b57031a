import { useMutation } from '@tanstack/react-query'
import type { RouteAnswer } from '@trunkline/host/page-api'
import { type FormEvent, useState } from 'react'
import { isSchema, propertiesOf, type Schema } from '../../form/schema.ts'
import { SchemaForm } from '../../form/schema-form.tsx'
import { callHost } from '../../host/call.ts'
import { queryClient, serversQuery } from '../../host/queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { WriteChange } from '../../parts/write-change.tsx'
import styles from './servers.module.css'

type Entry = Record<string, unknown>

export interface EditServerProps {
  readonly name: string
  readonly written: RouteAnswer<'serverEntry'>
  onDone(): void
}

/** Settings that have their own place, or that only one of both kinds of servers has. */
const ofPrograms = ['command', 'args', 'env', 'cwd', 'sandbox', 'envFile', 'passNetwork', 'mine']
const ofAddresses = ['url', 'headers', 'oauth']
const elsewhere = ['type', 'disabled']

/** The entry of a server as a form, made from the schema of the configuration. */
export function EditServer({ name, written: { entry: before, schema }, onDone }: EditServerProps) {
  const [entry, setEntry] = useState<Entry>(before)
  const plan = useMutation({
    mutationFn: () => callHost('planServerChange', { server: name, change: { kind: 'edit', entry } }),
  })
  const write = useMutation({
    mutationFn: (digest: string) => callHost('editServer', { server: name, entry, digest }),
    onSuccess: async () => {
      onDone()
      await queryClient.invalidateQueries({ queryKey: serversQuery.queryKey })
      await queryClient.invalidateQueries({ queryKey: ['serverEntry'] })
    },
  })
  const change = (next: unknown) => {
    plan.reset()
    setEntry({ ...(isSchema(next) ? next : {}) })
  }
  const isProgram = entry.url === undefined
  const main = isProgram ? ofPrograms.slice(0, 4) : ofAddresses.slice(0, 2)
  const hidden = [...elsewhere, ...main, ...(isProgram ? ofAddresses : ofPrograms)]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    plan.mutate()
  }
  return (
    <form className={styles.edit} onSubmit={submit}>
      <SchemaForm schema={part(schema, (key) => main.includes(key))} value={entry} onChange={change} />
      <details>
        <summary>All other settings</summary>
        <SchemaForm schema={part(schema, (key) => !hidden.includes(key))} value={entry} onChange={change} />
      </details>
      <Failure error={plan.error ?? write.error} />
      <WriteChange
        change={plan.data}
        isPlanning={plan.isPending}
        isWriting={write.isPending}
        onWrite={write.mutate}
        onCancel={onDone}
      />
    </form>
  )
}

function part(schema: Schema, isIn: (key: string) => boolean): Schema {
  return { ...schema, properties: Object.fromEntries(propertiesOf(schema).filter(([key]) => isIn(key))) }
}

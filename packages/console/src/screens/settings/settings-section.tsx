import { useMutation } from '@tanstack/react-query'
import type { RouteAnswer } from '@trunkline/host/page-api'
import { type FormEvent, useState } from 'react'
import { isSchema, propertiesOf, type Schema } from '../../form/schema.ts'
import { SchemaForm } from '../../form/schema-form.tsx'
import { callHost } from '../../host/call.ts'
import { queryClient } from '../../host/queries.ts'
import { DetailView } from '../../parts/detail-view.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Notice } from '../../parts/notice.tsx'
import { WriteChange } from '../../parts/write-change.tsx'
import { Said } from '../../text/said.tsx'
import { NamedSettings } from './named-settings.tsx'
import styles from './settings.module.css'

/** A part of the configuration: its schema, what the person's own file says, and what counts. */
export type Section = RouteAnswer<'settings'>['sections'][number]

/** One part of the person's own file as a form that is made from its schema. */
export function SettingsSection({ section, title }: { readonly section: Section; readonly title: string }) {
  const { key, schema, own, settings } = section
  const [value, setValue] = useState<unknown>(own)
  const plan = useMutation({ mutationFn: () => callHost('planSettings', { section: key, value: value ?? {} }) })
  const write = useMutation({
    mutationFn: (digest: string) => callHost('changeSettings', { section: key, value: value ?? {}, digest }),
    onSuccess: async ({ file }) => {
      plan.reset()
      await queryClient.invalidateQueries()
      return file
    },
  })
  const change = (next: unknown) => {
    plan.reset()
    write.reset()
    setValue(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    plan.mutate()
  }
  const foreign = settings.filter(({ isOwn, source }) => !isOwn && source !== undefined)
  return (
    <DetailView title={title}>
      <form className={styles.section} onSubmit={submit}>
        <Hint schema={schema} />
        {foreign.map((one) => (
          <Notice key={one.key}>
            <Said
              text={`${one.key} is ${JSON.stringify(one.value)}, set by ${one.source}, which counts before your file`}
            />
          </Notice>
        ))}
        <Fields name={key} schema={schema} value={value} onChange={change} />
        <Failure error={plan.error ?? write.error} />
        {write.data && (
          <Notice tone="good" live>
            Written to <Said text={write.data.file} />
          </Notice>
        )}
        <WriteChange
          change={plan.data}
          isPlanning={plan.isPending}
          isWriting={write.isPending}
          onWrite={write.mutate}
          onCancel={() => plan.reset()}
        />
      </form>
    </DetailView>
  )
}

interface FieldsProps {
  readonly name: string
  readonly schema: Schema
  readonly value: unknown
  onChange(value: unknown): void
}

/** Fields for a table of settings, for tables under names, or for one value. */
function Fields({ name, schema, value, onChange }: FieldsProps) {
  const { additionalProperties: item } = schema
  if (propertiesOf(schema).length > 0) {
    return <SchemaForm schema={withDefaults(schema)} value={value ?? {}} onChange={onChange} />
  }
  if (isSchema(item) && propertiesOf(item).length > 0) {
    const nameLabel = name === 'projects' ? 'Folder of a project' : undefined
    const own = isSchema(value) ? value : {}
    return <NamedSettings schema={withDefaults(item)} value={own} nameLabel={nameLabel} onChange={onChange} />
  }
  const { description: _, ...plain } = schema
  return (
    <SchemaForm
      schema={{ type: 'object', properties: { [name]: plain } }}
      value={{ [name]: value }}
      onChange={(next) => onChange(isSchema(next) ? (next[name] ?? []) : undefined)}
    />
  )
}

function Hint({ schema: { description } }: { readonly schema: Schema }) {
  return typeof description === 'string' ? <p className={styles.faint}>{description}</p> : null
}

/** A schema whose words say the defaults, which are not written down. */
export function withDefaults(schema: Schema): Schema {
  const properties = propertiesOf(schema).map(([key, property]) => {
    if (!isSchema(property)) return [key, property]
    // the host checks what is written, and says it in words
    const { description = '', default: usual, pattern: _, ...rest } = property
    const words = usual === undefined ? description : `${description} Default: ${String(usual)}.`
    return [key, { ...withDefaults(rest), description: words }]
  })
  return properties.length === 0 ? schema : { ...schema, properties: Object.fromEntries(properties) }
}

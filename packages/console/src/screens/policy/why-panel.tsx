import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { callHost } from '../../host/call.ts'
import { catalogueQuery } from '../../host/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { parseFields, prettyJson } from '../../text/json.ts'
import { Explanation } from './explanation.tsx'
import styles from './policy.module.css'

type Fields = Record<string, unknown>

/** Explains why a call was allowed, asked about or denied, and what would have changed it. */
export function WhyPanel() {
  const search = useSearch({ from: '/policy' })
  const [tool, setTool] = useState(search.server === undefined ? '' : `${search.server}:${search.tool}`)
  const [client, setClient] = useState(search.client ?? '')
  const [text, setText] = useState('{}')
  const tools = useQuery(catalogueQuery).data?.items.filter(({ kind }) => kind === 'tool') ?? []
  const read = parseFields(text)
  const explain = useMutation({ mutationFn: (args: Fields) => ask(tool, client, args) })
  const first = useRef(explain.mutate)
  useEffect(() => {
    if (search.server === undefined) return
    let isLeft = false
    void recordedArguments(search.act).then((args) => {
      if (isLeft) return
      setText(prettyJson(args))
      first.current(args)
    })
    return () => {
      isLeft = true
    }
  }, [search.server, search.act])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if ('value' in read) explain.mutate(read.value)
  }
  return (
    <Panel title="Why?">
      <form className={styles.form} onSubmit={submit}>
        <div className={styles.pair}>
          <Field label="Tool" hint="As server:tool">
            {(ids) => (
              <input {...ids} list="policy-tools" value={tool} onChange={({ target }) => setTool(target.value)} />
            )}
          </Field>
          <datalist id="policy-tools">
            {tools.slice(0, 500).map(({ name, server, original }) => (
              <option key={name} value={`${server}:${original}`} />
            ))}
          </datalist>
          <Field label="Client" hint="Any, when it is empty">
            {(ids) => <input {...ids} value={client} onChange={({ target }) => setClient(target.value)} />}
          </Field>
        </div>
        <Field label="Arguments" error={'problem' in read ? read.problem : undefined}>
          {(ids) => (
            <textarea
              {...ids}
              className="code"
              rows={2}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        <div>
          <Button type="submit" disabled={!tool.includes(':') || 'problem' in read || explain.isPending}>
            What would happen?
          </Button>
        </div>
      </form>
      <Failure error={explain.error} />
      {explain.data && <Explanation explanation={explain.data} />}
    </Panel>
  )
}

/** The arguments of an act, as far as they were kept. */
async function recordedArguments(act: string | undefined): Promise<Fields> {
  if (act === undefined) return {}
  try {
    const { payloads } = await callHost('act', { act })
    return (payloads.arguments ?? {}) as Fields
  } catch {
    return {}
  }
}

function ask(tool: string, client: string, args: Fields) {
  const at = tool.indexOf(':')
  return callHost('explainPolicy', {
    server: tool.slice(0, at),
    tool: tool.slice(at + 1),
    arguments: args,
    ...(client !== '' && { client }),
  })
}

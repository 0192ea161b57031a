import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { callHost } from '../../host/call.ts'
import { catalogueQuery } from '../../host/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { parseFields } from '../../text/json.ts'
import { Explanation } from './explanation.tsx'
import styles from './policy.module.css'

/** Why was this allowed, asked about or denied? And what would have changed it? */
export function WhyPanel() {
  const search = useSearch({ from: '/policy' })
  const [tool, setTool] = useState(search.server === undefined ? '' : `${search.server}:${search.tool}`)
  const [client, setClient] = useState(search.client ?? '')
  const [text, setText] = useState('{}')
  const tools = useQuery(catalogueQuery).data?.items.filter(({ kind }) => kind === 'tool') ?? []
  const read = parseFields(text)
  const explain = useMutation({ mutationFn: () => ask(tool, client, read) })
  const first = useRef(explain.mutate)
  useEffect(() => {
    if (search.server !== undefined) first.current()
  }, [search.server])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    explain.mutate()
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

function ask(tool: string, client: string, read: ReturnType<typeof parseFields>) {
  const at = tool.indexOf(':')
  return callHost('explainPolicy', {
    server: tool.slice(0, at),
    tool: tool.slice(at + 1),
    arguments: 'value' in read ? read.value : {},
    ...(client !== '' && { client }),
  })
}

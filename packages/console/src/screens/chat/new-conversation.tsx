import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { callHost } from '../../host/call.ts'
import { modelsQuery } from '../../host/queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Said } from '../../text/said.tsx'
import styles from './chat.module.css'
import { Composer } from './composer.tsx'
import type { ChatMessage } from './draft.ts'

/** Begins a conversation with what is said first, or says what is missing for one. */
export function NewConversation() {
  const { data, error } = useQuery(modelsQuery)
  const [model, setModel] = useState<string>()
  const navigate = useNavigate()
  const models = data?.items ?? []
  const send = async (message: ChatMessage) => {
    const { id } = await callHost('startChat', model === undefined ? {} : { model })
    try {
      await callHost('sendChat', { id, ...message })
    } catch (problem) {
      await callHost('deleteChat', { id })
      throw problem
    }
    void navigate({ to: '/chat/$id', params: { id } })
  }
  if (data && models.length === 0) return <NoModel problem={data.problem ?? 'No model is configured.'} />
  return (
    <Panel title="New conversation">
      <Failure error={error} />
      <p className={styles.faint}>
        The model may use every tool of your servers. Each call is shown with its arguments, and asks where your rules
        say so.
      </p>
      {models.length > 1 && (
        <Field label="Model">
          {(ids) => (
            <select
              {...ids}
              value={model ?? models.find(({ isUsual }) => isUsual)?.name}
              onChange={({ target }) => setModel(target.value)}
            >
              {models.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Composer of="new" label="What you want" onSend={send} />
    </Panel>
  )
}

function NoModel({ problem }: { readonly problem: string }) {
  return (
    <Panel title="A model is missing">
      <p>
        <Said text={problem} />
      </p>
      <p className={styles.faint}>
        Keys are best kept with <code>trunkline secret set</code> and named as <code>secret:NAME</code>; a model on this
        machine needs none. The page goes on by itself once the file is written.
      </p>
    </Panel>
  )
}

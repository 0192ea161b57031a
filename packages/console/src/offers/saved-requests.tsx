import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callHost } from '../host/call.ts'
import { queryClient, routeQuery } from '../host/queries.ts'
import { Button } from '../parts/button.tsx'
import { Failure } from '../parts/failure.tsx'
import styles from './offers.module.css'

type Arguments = Record<string, unknown>

export interface SavedRequestsProps {
  readonly server: string
  readonly tool: string
  /** Arguments that are saved. */
  readonly value: Arguments
  onChoose(value: Arguments): void
}

/** Requests of a tool under names: to take one, to save what is filled in, and to remove one. */
export function SavedRequests({ server, tool, value, onChoose }: SavedRequestsProps) {
  const saved = routeQuery('savedRequests', { server, tool })
  const { data, error } = useQuery(saved)
  const [name, setName] = useState('')
  const items = data?.items ?? []
  const chosen = items.find((one) => one.name === name.trim())
  const save = useMutation({
    mutationFn: () => callHost('saveRequest', { server, tool, name: name.trim(), arguments: value }),
    onSuccess: (answer) => queryClient.setQueryData(saved.queryKey, answer),
  })
  const remove = useMutation({
    mutationFn: () => callHost('removeRequest', { server, tool, name: name.trim() }),
    onSuccess: async () => {
      setName('')
      await queryClient.invalidateQueries({ queryKey: saved.queryKey })
    },
  })
  const choose = (wanted: string) => {
    setName(wanted)
    const found = items.find((one) => one.name === wanted)
    if (found) onChoose(found.arguments)
  }
  return (
    <div>
      <div className={styles.saved}>
        {items.length > 0 && (
          <select
            aria-label="Saved requests"
            value={chosen?.name ?? ''}
            onChange={({ target }) => choose(target.value)}
          >
            <option value="">Saved requests…</option>
            {items.map((one) => (
              <option key={one.name}>{one.name}</option>
            ))}
          </select>
        )}
        <input
          aria-label="Save the request as"
          placeholder="Save as…"
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Button disabled={name.trim() === '' || save.isPending} onClick={() => save.mutate()}>
          {chosen ? 'Save over it' : 'Save request'}
        </Button>
        {chosen && (
          <Button disabled={remove.isPending} onClick={() => remove.mutate()}>
            Remove
          </Button>
        )}
        <span role="status" className={styles.faint}>
          {save.isSuccess && chosen && !save.isPending ? 'Saved, secrets masked' : ''}
        </span>
      </div>
      <Failure error={error ?? save.error ?? remove.error} />
    </div>
  )
}

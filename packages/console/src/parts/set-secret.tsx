import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callHost } from '../host/call.ts'
import { queryClient, serversQuery } from '../host/queries.ts'
import { Button } from './button.tsx'
import { Failure } from './failure.tsx'
import { Field } from './field.tsx'
import styles from './set-secret.module.css'

export interface SetSecretProps {
  readonly name: string
  /** True if it replaces one that is kept. */
  readonly isKept: boolean
  onDone(): void
}

/** Stores one secret under its name; what is typed is not shown, and the host gives it to no page. */
export function SetSecret({ name, isKept, onDone }: SetSecretProps) {
  const [value, setValue] = useState('')
  const set = useMutation({
    mutationFn: () => callHost('setSecret', { name, value }),
    onSuccess: async () => {
      setValue('')
      onDone()
      await queryClient.invalidateQueries({ queryKey: ['secrets'] })
      await queryClient.invalidateQueries({ queryKey: serversQuery.queryKey })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    set.mutate()
  }
  return (
    <form className={styles.set} onSubmit={submit}>
      <Field
        label={`Value of ${name}`}
        hint={`${isKept ? 'Replaces the one that is kept. ' : ''}It goes into the file of secrets, never into trunkline.json.`}
      >
        {(ids) => (
          <input
            {...ids}
            type="password"
            autoComplete="off"
            value={value}
            onChange={({ target }) => setValue(target.value)}
          />
        )}
      </Field>
      <Button tone="primary" type="submit" disabled={value === '' || set.isPending}>
        {isKept ? 'Replace' : 'Store'}
      </Button>
      <Failure error={set.error} />
    </form>
  )
}

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callHost } from '../host/call.ts'
import { Button } from '../parts/button.tsx'
import { Failure } from '../parts/failure.tsx'
import { CodeField } from './code-field.tsx'

export interface AcceptServerProps {
  readonly server: string
  readonly commandHash: string
  /** Subject of the acceptance. */
  readonly what: 'command' | 'address'
}

/** Accepts a server with exactly the command or address that is shown, and a code that only the terminal shows. */
export function AcceptServer({ server, commandHash, what }: AcceptServerProps) {
  const [code, setCode] = useState('')
  const made = useMutation({ mutationFn: () => callHost('makeAcceptCode', { server }) })
  const accepted = useMutation({
    mutationFn: () => callHost('acceptServer', { server, commandHash, code: code.trim() }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    accepted.mutate()
  }
  if (!made.isSuccess) {
    return (
      <div>
        <Button tone="primary" disabled={made.isPending || commandHash === ''} onClick={() => made.mutate()}>
          Accept this {what}…
        </Button>
        <Failure error={made.error} />
      </div>
    )
  }
  return (
    <form onSubmit={submit}>
      <CodeField code={code} isPending={accepted.isPending} instead={`trunkline accept ${server}`} onType={setCode} />
      <Failure error={accepted.error} />
    </form>
  )
}

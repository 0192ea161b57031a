import { type FormEvent, useState } from 'react'
import { signIn } from '../host/sign-in.ts'
import { Button } from '../parts/button.tsx'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import icon from './icon.svg'
import styles from './sign-in.module.css'

/** Sign-in page: shown without a secret, with the way to get one. */
export function SignIn() {
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<unknown>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    try {
      await signIn(code.trim().replace(/^.*#code=/, ''))
      location.reload()
    } catch (error) {
      setProblem(error)
    }
  }
  return (
    <main className={styles.page}>
      <img src={icon} alt="" width="36" height="36" />
      <h1>This page does not know you yet</h1>
      <p>
        Run <code>trunkline open</code> in a terminal. It opens this page with a code that works once, for a minute. The
        page remembers nothing after its tab is closed.
      </p>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <Field label="A code, or the whole address that the terminal shows">
          {(ids) => <input {...ids} autoComplete="off" value={code} onChange={({ target }) => setCode(target.value)} />}
        </Field>
        <Button tone="primary" type="submit" disabled={code.trim() === ''}>
          Open
        </Button>
      </form>
      <Failure error={problem} />
    </main>
  )
}

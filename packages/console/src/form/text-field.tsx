import { useEffect, useId, useState } from 'react'
import type { FieldProps } from './field-props.ts'
import { FormField } from './form-field.tsx'
import { controlKind, type Schema } from './schema.ts'

const inputTypes: { readonly [format: string]: string } = { email: 'email', uri: 'url', date: 'date' }

/** A text on one line or on several, a date or a time. */
export function TextField(props: FieldProps) {
  const { schema, path, value, isRequired, form, onChange } = props
  const text = typeof value === 'string' ? value : ''
  const list = useId()
  const proposals = useProposals(path, text, form.complete)
  const change = (next: string) => onChange(next === '' && !isRequired ? undefined : next)
  return (
    <FormField of={props}>
      {(ids) =>
        controlKind(schema) === 'long text' || text.includes('\n') ? (
          <textarea {...ids} rows={4} value={text} onChange={({ target }) => change(target.value)} />
        ) : (
          <>
            <input
              {...ids}
              type={inputType(schema)}
              value={text}
              placeholder={placeholderOf(schema)}
              list={proposals.length > 0 ? list : undefined}
              onChange={({ target }) => change(target.value)}
            />
            {proposals.length > 0 && (
              <datalist id={list}>
                {proposals.map((proposal) => (
                  <option key={proposal} value={proposal} />
                ))}
              </datalist>
            )}
          </>
        )
      }
    </FormField>
  )
}

function inputType({ format }: Schema): string {
  return (typeof format === 'string' && Object.hasOwn(inputTypes, format) && inputTypes[format]) || 'text'
}

function placeholderOf({ format, examples }: Schema): string | undefined {
  if (Array.isArray(examples) && typeof examples[0] === 'string') return examples[0]
  return format === 'date-time' ? '2026-01-31T12:00:00Z' : undefined
}

const waitMs = 150

/** Proposals of a server for the typed text, asked for when the person pauses. */
function useProposals(path: string, text: string, complete: FieldProps['form']['complete']): readonly string[] {
  const [proposals, setProposals] = useState<readonly string[]>([])
  useEffect(() => {
    if (!complete) return
    let isCurrent = true
    const timer = setTimeout(() => {
      complete(path, text).then(
        (found) => isCurrent && setProposals(found),
        () => isCurrent && setProposals([]),
      )
    }, waitMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [path, text, complete])
  return proposals
}

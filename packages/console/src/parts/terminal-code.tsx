import { Field } from './field.tsx'

export interface TerminalCodeProps {
  readonly code: string
  /** Command that does the same in a terminal, if there is one. */
  readonly instead?: string
  onType(code: string): void
}

/** Digits of a code from the terminal. */
const digits = 6

/** True for a code that can be sent. */
export function isWholeCode(code: string): boolean {
  return code.trim().length === digits
}

/** Field for a code that only the terminal of the host shows. */
export function TerminalCode({ code, instead, onType }: TerminalCodeProps) {
  const other = instead === undefined ? '' : `; or run "${instead}" there instead`
  return (
    <Field
      label="The code that the terminal shows"
      hint={`In the terminal of "trunkline up"${other}. It holds for two minutes.`}
    >
      {(ids) => (
        <input
          {...ids}
          ref={takeFocus}
          inputMode="numeric"
          autoComplete="off"
          maxLength={digits}
          value={code}
          onChange={({ target }) => onType(target.value)}
        />
      )}
    </Field>
  )
}

/** Gives the focus to the field when it appears: the person has asked for the code. */
function takeFocus(field: HTMLInputElement | null): void {
  field?.focus()
}

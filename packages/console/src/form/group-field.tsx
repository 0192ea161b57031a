import { Button } from '../parts/button.tsx'
import type { FieldProps } from './field-props.ts'
import { FormGroup } from './form-group.tsx'
import { initialValue } from './initial.ts'
import { ObjectField } from './object-field.tsx'

/** An object inside a form; one that may be left out is shown when it is wanted. */
export function GroupField(props: FieldProps) {
  const { schema, name, value, isRequired, form, onChange } = props
  return (
    <FormGroup of={props}>
      {value === undefined ? (
        <Button size="s" onClick={() => onChange(initialValue(schema, form.root) ?? {})}>
          Add {name}
        </Button>
      ) : (
        <>
          <ObjectField {...props} />
          {!isRequired && (
            <Button size="s" tone="quiet" onClick={() => onChange(undefined)}>
              Leave {name} out
            </Button>
          )}
        </>
      )}
    </FormGroup>
  )
}

import { ArrayField } from './array-field.tsx'
import { BooleanField } from './boolean-field.tsx'
import { ChoiceField, ChoicesField } from './choice-field.tsx'
import type { FieldProps } from './field-props.ts'
import { FileField } from './file-field.tsx'
import { GroupField } from './group-field.tsx'
import { JsonField } from './json-field.tsx'
import { MapField } from './map-field.tsx'
import { NumberField } from './number-field.tsx'
import { controlKind } from './schema.ts'
import { TextField } from './text-field.tsx'
import { UnionField } from './union-field.tsx'

/** The field for one value, as its schema wants it. */
export function ValueField(props: FieldProps) {
  switch (controlKind(props.schema)) {
    case 'choice':
      return <ChoiceField {...props} />
    case 'choices':
      return <ChoicesField {...props} />
    case 'boolean':
      return <BooleanField {...props} />
    case 'number':
      return <NumberField {...props} />
    case 'file':
      return <FileField {...props} />
    case 'object':
      return <GroupField {...props} />
    case 'array':
      return <ArrayField {...props} />
    case 'map':
      return <MapField {...props} />
    case 'union':
      return <UnionField {...props} />
    case 'json':
      return <JsonField {...props} />
    default:
      return <TextField {...props} />
  }
}

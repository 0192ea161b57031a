import { Empty } from '../parts/empty.tsx'
import { Screen } from './screen.tsx'

export function NotFound() {
  return (
    <Screen title="Nothing here">
      <Empty title="There is no screen at this address">Choose one in the navigation, or press Ctrl-K.</Empty>
    </Screen>
  )
}

import { Empty } from '../parts/empty.tsx'
import { LinkButton } from './link-button.tsx'
import { Screen } from './screen.tsx'

export function NotFound() {
  return (
    <Screen title="Nothing here">
      <Empty
        title="There is no screen at this address"
        action={<LinkButton to="/servers">Go to your servers</LinkButton>}
      >
        Choose one in the navigation, or press Ctrl-K.
      </Empty>
    </Screen>
  )
}

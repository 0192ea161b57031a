import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { chatsQuery } from '../../host/queries.ts'
import { ListBeside } from '../../parts/list-beside.tsx'
import { LinkButton } from '../../shell/link-button.tsx'
import { Screen } from '../../shell/screen.tsx'
import { plural } from '../../text/plural.ts'
import { ConversationList } from './conversation-list.tsx'
import { ConversationView } from './conversation-view.tsx'
import { NewConversation } from './new-conversation.tsx'

/** Use it: conversations with a model that calls tools of the servers, under the policy like every other client. */
export function ChatScreen() {
  const { id } = useParams({ strict: false })
  const { data, isPending } = useQuery(chatsQuery)
  const conversations = data?.items.filter(({ title }) => title !== '') ?? []
  return (
    <Screen
      title="Chat"
      about={isPending ? 'Looking' : plural(conversations.length, 'conversation')}
      actions={<LinkButton to="/chat">New conversation</LinkButton>}
    >
      <ListBeside
        list={<ConversationList conversations={conversations} chosen={id} />}
        isOpen={id !== undefined}
        back={{ to: '/chat', title: 'All conversations' }}
      >
        {id === undefined ? <NewConversation /> : <ConversationView key={id} id={id} />}
      </ListBeside>
    </Screen>
  )
}

/**
 * Every text of the customers' pages, in English. A word in braces stands for what a page puts there; `{bank}` is the
 * bank's name on every page.
 */
export const english = {
  'page.problem': 'Problem: {title}',
  'page.skip': 'Skip to main content',
  'page.warning': '{bank} will never ask you to tell anybody your password or a one-time code.',
  'date.with-time': '{date} at {time}',

  'problem.heading': 'There is a problem',
  'problem.not-recognised': 'We did not recognise those details. Check them and try again',
  'problem.pause': 'To keep your accounts safe, we pause signing in after too many failed attempts in a row.',
  'problem.choose-an-account': 'Choose at least one account, or deny access',
  'problem.unavailable': 'We cannot check your details at the moment',
  'problem.not-counted': 'This did not count as an attempt. Try again shortly.',

  'form.login-name': 'Login name',
  'form.password': 'Password',
  'form.sign-in-incomplete': 'Enter your login name and your password',
  'form.code': 'One-time code',
  'form.code-hint': 'We sent it to {sentTo}. It works once, and only for a short time.',
  'form.code-incomplete': 'Enter the one-time code',
  'form.continue': 'Continue',

  'journey.step': 'Step {step} of 3',
  'journey.cancel': 'Cancel and go back to {tpp}',
  'journey.greeting': 'Hello {customer}.',
  'journey.approve': 'Approve access',

  'sign-in.title': 'Sign in',
  'sign-in.heading': '{tpp} asks to see information about your accounts',
  'sign-in.lead': 'Sign in to {bank} to choose which accounts to share. {tpp} gets nothing before you approve.',
  'sign-in.heading-again': '{tpp} asks you to confirm its access',
  'sign-in.lead-again':
    'It already has your permission. Sign in to confirm that it is still you who wants this; what it may see stays as it is.',
  'sign-in.heading-withdrawn': '{tpp} asks for the access that was withdrawn',
  'sign-in.lead-withdrawn':
    'It was withdrawn on {date}. Sign in if you want to give it again; {tpp} gets nothing before you approve.',
  'sign-in.form': 'Sign in to {bank}',
  'sign-in.time': 'You have {minutes} minutes to finish. After that you can start again from {tpp}.',

  'code.title': 'Enter your one-time code',
  'code.lead': 'This makes sure that it is you who answers {tpp}.',

  'authorise.title': 'Choose what to share',
  'authorise.heading': 'Choose what to share with {tpp}',
  'authorise.lead': 'Nothing is shared until you approve.',
  'authorise.incomplete': 'Approve or deny access',
  'authorise.form': 'Your decision',
  'authorise.accounts': 'Accounts',
  'authorise.accounts-hint': 'Choose those that {tpp} may see. You need not share them all.',
  'authorise.deny': 'Deny access',
  'authorise.afterwards':
    'If you deny, {tpp} gets nothing. If you approve, you can withdraw access at any time in your access dashboard at {bank}.',

  'reauthenticate.title': 'Confirm access',
  'reauthenticate.title-withdrawn': 'Give access again',
  'reauthenticate.heading': 'Confirm access for {tpp}',
  'reauthenticate.heading-withdrawn': 'Give {tpp} access again',
  'reauthenticate.given': 'You gave {tpp} this access on {date}.',
  'reauthenticate.withdrawn': 'It was withdrawn on {date}, and begins again when you approve.',
  'reauthenticate.same': 'Accounts and information stay the same.',
  'reauthenticate.incomplete': 'Approve, or choose not now',
  'reauthenticate.accounts': 'Accounts that you share',
  'reauthenticate.accounts-withdrawn': 'Accounts that you would share',
  'reauthenticate.not-now': 'Not now',
  'reauthenticate.afterwards':
    'If you choose not now, nothing changes. You can withdraw access at any time in your access dashboard at {bank}.',

  'request.would-see': 'What {tpp} would see',
  'request.may-see': 'What {tpp} may see',
  'request.how-long': 'How long',
  'request.until': 'Until {date}',
  'request.until-withdrawn': 'Until you withdraw it',
  'request.which-transactions': 'Which transactions',
  'request.history-from-to': 'Only those from {from} to {to}',
  'request.history-from': 'Those since {from}, and new ones while the access lasts',
  'request.history-to': 'All that we can show up to {to}',
  'request.history-all': 'All that we can show, however old, and new ones while the access lasts',
  'request.cannot': 'What it cannot do',
  'request.no-payments': 'Make payments, or see your password or one-time codes',

  'account.ending': 'ending {digits}',
  'account.kind-and-ending': '{kind}, {ending}',
  'product.CurrentAccount': 'Current account',
  'product.Savings': 'Savings account',
  'product.CreditCard': 'Credit card',
  'product.RewardsPayPlus': 'Rewards PayPlus account',
  'product.RoundUp': 'Round Up account',

  // The words of the Customer Experience Guidelines, "Permissions & Data Clusters".
  'cluster.account-details': 'Your account details',
  'cluster.regular-payments': 'Your regular payments',
  'cluster.transactions': 'Your account transactions',
  'cluster.statements': 'Your statements',
  'cluster.features-and-benefits': 'Your account features and benefits',
  'cluster.contact-details': 'Your contact details',

  // Where a permission has a Basic and a Detail form, the text names the fields that only Detail releases (standard,
  // "Detail Permissions").
  'permission.ReadAccountsBasic': 'The type, currency and description of each account, without its number',
  'permission.ReadAccountsDetail':
    'The type, currency and description of each account, with its sort code, account number and IBAN, or the last digits of a card',
  'permission.ReadPAN': 'Your full card number',
  'permission.ReadBalances': 'Your balances, with any arranged overdraft or credit limit',
  'permission.ReadBeneficiariesBasic': 'The references of your saved payees, without their names and account numbers',
  'permission.ReadBeneficiariesDetail': 'Your saved payees, with their names, account numbers and references',
  'permission.ReadStandingOrdersBasic': 'Your standing orders: amounts, dates and references, without who is paid',
  'permission.ReadStandingOrdersDetail':
    'Your standing orders: amounts, dates, references, and the name and account of who is paid',
  'permission.ReadDirectDebits': 'Your Direct Debits: who collects them, and the last payment of each',
  'permission.ReadScheduledPaymentsBasic':
    'Payments you have set up for a later date: amounts and dates, without who is paid',
  'permission.ReadScheduledPaymentsDetail':
    'Payments you have set up for a later date: amounts, dates, and the name and account of who is paid',
  'permission.ReadStatementsBasic': 'The dates and kinds of your statements, without amounts',
  'permission.ReadStatementsDetail': 'Your statements, with the amounts in them, such as balances, fees and interest',
  'permission.ReadProducts': 'Your account’s fees, charges, interest and rewards',
  'permission.ReadOffers': 'Offers that we make you on your account',
  'permission.ReadParty':
    'The account holder’s full name, and the address, phone numbers and email address that we hold',
  'permission.ReadPartyPSU': 'Your own full name, and the address, phone numbers and email address that we hold',
  // Level (Basic or Detail) and direction (Credits, Debits) mean something only together.
  'transactions.in-and-out': 'Money paid into and out of your accounts',
  'transactions.in': 'Money paid into your accounts, but not money paid out',
  'transactions.out': 'Money paid out of your accounts, but not money paid in',
  'transactions.basic': '{direction}: dates and amounts, without descriptions or who it came from or went to',
  'transactions.detail':
    '{direction}: dates, amounts, descriptions, who it came from or went to, and your balance after it',

  'notice.continue': 'Continue',
  'notice.try-again': 'Try again',
  'notice.back': 'Go back to {tpp}',
  'notice.unknown-tpp': 'the app or website that sent you here',
  'notice.out-of-date': 'That page was out of date',
  'notice.out-of-date-text': 'You may have gone back, or have it open in another window. We changed nothing.',
  'notice.unavailable': 'This is not available at the moment',
  'notice.unavailable-text': 'Something on our side is not working. We changed nothing. Try again in a few minutes.',
  // The same whichever limit it was, and without a time: who guesses would learn from it what is counted.
  'notice.blocked': 'Signing in is paused',
  'notice.blocked-text':
    'There were too many attempts to sign in. Wait a few minutes, then try again. It is quicker in a browser in which you have signed in before. If it was not you, contact {bank}.',
  'notice.ended': 'This page is no longer open',
  'notice.ended-text':
    'It was finished, took too long, or was opened in another browser. To go on, start again from {tpp}.',
  'notice.another-customer': 'This access was given by somebody else',
  'notice.another-customer-text': 'Only the customer who gave {tpp} this access can confirm it. We changed nothing.',
  'notice.already-decided': 'This request has been answered already',
  'notice.already-decided-text':
    'It was approved, denied or withdrawn, perhaps in another window. Your access dashboard shows what {tpp} may see.',
  'notice.no-accounts': 'There is nothing to share',
  'notice.no-accounts-text': 'You have no account here with what {tpp} asks to see. We shared nothing.',
  'notice.bad-request': 'This request cannot be used',
  'notice.bad-request-text':
    'Something is wrong with the request that brought you here; it is nothing that you did. We shared nothing. Tell {tpp}, or try again from there.',

  'dashboard.sign-in': 'Sign in to your access dashboard',
  'dashboard.sign-in-lead': 'See who may look at your accounts, and withdraw access.',
  'dashboard.code-lead': 'This makes sure that it is you.',
  'dashboard.idle': 'For your security, we sign you out after {minutes} minutes without activity.',
  'dashboard.signed-out': 'You are signed out.',
  'dashboard.timed-out': 'We signed you out after {minutes} minutes without activity. Sign in again to go on.',
  'dashboard.session': 'Session',
  'dashboard.sign-out': 'Sign out',
  'dashboard.title': 'Access dashboard',
  'dashboard.heading': 'Who may look at your accounts',
  'dashboard.lead': 'These are the apps and websites with which you share information about your accounts at {bank}.',
  'dashboard.current': 'Current access',
  'dashboard.no-current': 'Nobody has access to your accounts.',
  'dashboard.more-current': 'Show more current access',
  'dashboard.past': 'Past access',
  'dashboard.no-past': 'There is no past access.',
  'dashboard.more-past': 'Show earlier past access',
  'dashboard.withdrawn': 'You withdrew the access of {tpp}. It can no longer see your accounts.',
  'dashboard.since': 'Access since',
  'dashboard.lasts': 'Lasts',
  'dashboard.given': 'Given',
  'dashboard.last-used': 'Last used',
  'dashboard.never-used': 'Never',
  'dashboard.confirmed': 'You last confirmed it was you',
  'dashboard.asked': 'Information that was asked for',
  'dashboard.shared': 'Accounts and information',
  'dashboard.accounts': 'Accounts',
  'dashboard.information': 'Information',
  'dashboard.end.refused': 'Refused by you',
  'dashboard.end.withdrawn': 'Withdrawn by you',
  'dashboard.end.expired': 'Came to its end',
  'dashboard.end.ended-by-tpp': 'Ended by them',
  'dashboard.end.ended-by-bank': 'Ended by us',
  'dashboard.no-access': 'There is nothing to withdraw',
  'dashboard.no-access-text':
    'This access has ended already, perhaps in another window. Your dashboard shows what there is now.',
  // Not "we changed nothing": that a withdrawal was answered late does not say that it was not made.
  'dashboard.unavailable-text':
    'Something on our side is not working. Try again in a few minutes: your dashboard then shows who may look at your accounts.',

  'withdrawal.title': 'Withdraw access',
  'withdrawal.of': 'of {tpp}',
  'withdrawal.heading': 'Withdraw the access of {tpp}?',
  'withdrawal.meaning': 'What happens',
  'withdrawal.from-now': '{tpp} can no longer see your accounts at {bank}, from this moment.',
  'withdrawal.seen': 'What it has seen before stays with it: ask {tpp} if you want that deleted.',
  'withdrawal.service': 'What {tpp} does for you with this information may stop working.',
  'withdrawal.final': 'You cannot undo this here. You can give access again from {tpp}.',
  'withdrawal.keep': 'Keep access',
} as const;

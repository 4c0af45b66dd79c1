import { faults } from '../bank/faults.js';

export const usage = `The sandbox's command line. It talks to a running stack (npm start).

  sandbox personas                      who banks here, and what each shows
  sandbox consent --persona NAME        a consent, authorised, with the tokens to use it
      [--permissions all|A,B]           permission codes
      [--accounts all|REF,...]          the accounts that the customer selects
      [--authenticated-ago 6m]          how long ago the customer authenticated: 90s, 6m, 2h, 1d
      [--from D] [--to D]               the consented transaction history, e.g. 2026-01-31
      [--expires D]                     when the consent ends
  sandbox reauthenticate CONSENT        the customer authenticates anew, now
  sandbox revoke CONSENT                the customer withdraws the consent at the bank
  sandbox account REF --state S         valid or not-permitted
  sandbox core --fault F                ${faults.join(', ')}
  sandbox unlock NAME                   lets somebody whose sign-in is paused sign in at once, by the login name
  sandbox journey --persona NAME        a TPP's whole way through the authorization server: consent, the bank's pages,
      [--wait]                          data, authentication anew, the end; --wait until the authentication window is over
  sandbox tpp new --name NAME --redirect URI
      [--fapi 1|2]                      a TPP of your own: registered, with a folder of settings, certificate, key and
                                        a program that reads accounts; FAPI 1 unless said
      [--auth key|certificate]          proves itself by signatures, unless said, or by its certificate alone, under
                                        FAPI 2: the folder then has a Postman collection too
      [--agent NAME]                    who acts on behalf of the TPP: customers see both names
  sandbox tpp list                      the TPPs that the bank knows
  sandbox tpp remove NAME               ends the registration, and removes what tpp new wrote

  sandbox help                          this text; also --help
  sandbox --version                     the version of this project

Every command takes --json; into a pipe or a file consent writes JSON in any case.
A command finds the stack that runs on DATA_DIR (./data unless set) by itself, whatever its ports are. Settings of the
environment (PORT, BANK_PORT, SANDBOX_PORT, BANK_CREDENTIAL and the others of npm start) come first.`;

import 'reflect-metadata';
import { HttpModule, HttpService } from '@nestjs/axios';
import { Controller, Get, Injectable, Module, Param, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { firstValueFrom } from 'rxjs';
import type { EntryRow, FigureRow } from '../../../sandbox/bank/ledger.records.js';

/**
 * What the bank would have without the gateway: NestJS with its defaults, written the way its documentation shows. It
 * turns the core's rows into the same JSON as the gateway, and checks nothing: no token, no consent, no row.
 */
interface Acct {
  readonly key: string;
  readonly ccy: string;
  readonly prod: string;
}

@Injectable()
class LedgerService {
  constructor(private readonly http: HttpService) {}

  async balances(customer: string, account: string) {
    const { acct, figures } = await this.get<{ acct: Acct; figures: FigureRow[] }>(
      `/clients/${customer}/accts/${account}/figures`,
    );
    const card = acct.prod === 'CRD400';
    return figures.map((figure) => {
      const booked = figure.fig === 'LEDGER';
      const limit = figure.arranged === '' ? 0 : figure.arranged;
      const amount = card && booked ? -figure.amt : figure.amt - limit;
      return {
        AccountId: account,
        CreditDebitIndicator: indicator(amount),
        Type: !booked ? 'InterimAvailable' : card ? 'ClosingBooked' : 'InterimBooked',
        DateTime: dateTime(figure.at),
        Amount: money(amount, acct.ccy),
        ...(!booked && card && { CreditLine: [line(true, 'Available', Math.max(amount, 0), acct.ccy)] }),
        ...(!booked &&
          limit > 0 && {
            CreditLine: [
              line(false, 'Pre-Agreed', limit, acct.ccy),
              line(false, 'Available', Math.max(limit - Math.max(-amount, 0), 0), acct.ccy),
            ],
          }),
      };
    });
  }

  async transactions(customer: string, account: string, from: string, to: string) {
    const since = new Date(from);
    const until = new Date(to);
    until.setUTCDate(until.getUTCDate() + 1);
    const { acct, entries } = await this.get<{ acct: Acct; entries: EntryRow[] }>(
      `/clients/${customer}/accts/${account}/entries`,
      { take: 1000, toward: 'OLD', since: stamp(since), until: stamp(until) },
    );
    return entries.map((entry) => ({
      AccountId: account,
      TransactionId: entry.key,
      CreditDebitIndicator: entry.side === 'DR' ? 'Debit' : 'Credit',
      Status: entry.state === 'POSTED' ? 'Booked' : 'Pending',
      BookingDateTime: dateTime(entry.booked),
      ...(entry.value === '' ? {} : { ValueDateTime: dateTime(entry.value) }),
      Amount: money(entry.amt, acct.ccy),
      TransactionInformation: `${entry.text.trim()} ${dateTime(entry.booked).slice(0, 10)}`,
      ...(entry.bal === ''
        ? {}
        : {
            Balance: {
              CreditDebitIndicator: indicator(entry.bal),
              Type: 'ClosingBooked',
              Amount: money(entry.bal, acct.ccy),
            },
          }),
    }));
  }

  private async get<T>(url: string, params?: object): Promise<T> {
    const { data } = await firstValueFrom(this.http.get<T>(url, { params }));
    return data;
  }
}

function indicator(minorUnits: number): string {
  return minorUnits < 0 ? 'Debit' : 'Credit';
}

function money(minorUnits: number, currency: string) {
  return { Amount: (Math.abs(minorUnits) / 100).toFixed(2), Currency: currency };
}

function line(included: boolean, type: string, minorUnits: number, currency: string) {
  return { Included: included, Type: type, Amount: money(minorUnits, currency) };
}

/** `20261120T231500.000Z` as `2026-11-20T23:15:00+00:00`. */
function dateTime(text: string): string {
  return text
    .replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z$/, '$1-$2-$3T$4:$5:$6+00:00')
    .replace('.000', '');
}

function stamp(date: Date): string {
  return date.toISOString().replace(/[-:]/g, '');
}

@Controller('customers/:customer/accounts/:account')
class AccountsController {
  constructor(private readonly ledger: LedgerService) {}

  @Get('balances')
  async balances(@Param('customer') customer: string, @Param('account') account: string) {
    return envelope({ Balance: await this.ledger.balances(customer, account) }, `/accounts/${account}/balances`);
  }

  @Get('transactions')
  async transactions(
    @Param('customer') customer: string,
    @Param('account') account: string,
    @Query('fromBookingDateTime') from: string,
    @Query('toBookingDateTime') to: string,
  ) {
    const rows = await this.ledger.transactions(customer, account, from, to);
    return envelope({ Transaction: rows }, `/accounts/${account}/transactions`);
  }
}

function envelope(data: object, path: string) {
  return { Data: data, Links: { Self: `${process.env.BASE_URL}/open-banking/v3.1/aisp${path}` }, Meta: {} };
}

@Controller('health')
class HealthController {
  @Get('ready')
  ready() {
    return { status: 'ready' };
  }
}

@Module({
  imports: [HttpModule.register({ baseURL: process.env.CORE_URL, timeout: 3_000 })],
  controllers: [AccountsController, HealthController],
  providers: [LedgerService],
})
class AppModule {}

const app = await NestFactory.create(AppModule);
await app.listen(Number(process.env.PORT), '127.0.0.1');

process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));

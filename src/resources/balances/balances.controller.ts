import { Controller } from '@nestjs/common';
import { listController } from '../list.controller.js';
import { balances } from './balances.endpoint.js';

@Controller()
export class BalancesController extends listController(balances) {}

import { Controller } from '@nestjs/common';
import { listController } from '../list.controller.js';
import { standingOrders } from './standing-orders.endpoint.js';

@Controller()
export class StandingOrdersController extends listController(standingOrders) {}

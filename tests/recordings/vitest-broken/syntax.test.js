const shop = ;
